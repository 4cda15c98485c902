package io.warren.amqp.server;

import io.warren.amqp.session.DeliveryCredit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deliveries in one write, by consumer: given back together when the write is done. */
final class CreditTally {

    private record Count(DeliveryCredit credit, int deliveries) {}

    private final List<Count> counts = new ArrayList<>();
    private @Nullable DeliveryCredit last;
    private int lastCount;

    void add(DeliveryCredit credit) {
        if (credit != last) {
            finish();
            last = credit;
        }
        lastCount++;
    }

    private void finish() {
        if (last != null) {
            counts.add(new Count(last, lastCount));
        }
        last = null;
        lastCount = 0;
    }

    void giveBack() {
        finish();
        counts.forEach(count -> count.credit().giveBack(count.deliveries()));
        counts.clear();
    }
}
