package io.warren.mirroring.raft;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;

/**
 * The public point of a private key on the curve P-256.
 *
 * <p>The JDK makes key pairs only from random numbers of its own. How long this takes depends on the number, which is
 * why it is done once a start and never on anybody's request.
 */
final class P256 {
    private static final BigInteger THREE = BigInteger.valueOf(3);

    private P256() {}

    static ECParameterSpec spec() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    /** The generator, added up that many times; at least 1 and below the order of the curve. */
    static ECPoint timesGenerator(BigInteger scalar) throws GeneralSecurityException {
        ECParameterSpec spec = spec();
        BigInteger p = ((ECFieldFp) spec.getCurve().getField()).getP();
        BigInteger a = spec.getCurve().getA();
        ECPoint sum = ECPoint.POINT_INFINITY;
        for (int bit = scalar.bitLength() - 1; bit >= 0; bit--) {
            sum = add(sum, sum, a, p);
            if (scalar.testBit(bit)) {
                sum = add(sum, spec.getGenerator(), a, p);
            }
        }
        return sum;
    }

    private static ECPoint add(ECPoint one, ECPoint other, BigInteger a, BigInteger p) {
        if (one.equals(ECPoint.POINT_INFINITY)) {
            return other;
        }
        if (other.equals(ECPoint.POINT_INFINITY)) {
            return one;
        }
        BigInteger x = one.getAffineX();
        BigInteger y = one.getAffineY();
        BigInteger rise;
        BigInteger run;
        if (one.equals(other)) {
            rise = x.multiply(x).multiply(THREE).add(a);
            run = y.shiftLeft(1);
        } else if (x.equals(other.getAffineX())) {
            return ECPoint.POINT_INFINITY;
        } else {
            rise = other.getAffineY().subtract(y);
            run = other.getAffineX().subtract(x);
        }
        BigInteger slope = rise.multiply(run.mod(p).modInverse(p)).mod(p);
        BigInteger sumX =
                slope.multiply(slope).subtract(x).subtract(other.getAffineX()).mod(p);
        return new ECPoint(sumX, slope.multiply(x.subtract(sumX)).subtract(y).mod(p));
    }
}
