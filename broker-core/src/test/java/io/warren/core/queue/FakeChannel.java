package io.warren.core.queue;

/** A channel of which a test says how many permits it has. */
final class FakeChannel implements ChannelRef {

    private final String name;

    /** Most permits out at once, 0 for no limit. */
    int limit;

    int taken;

    FakeChannel(String name) {
        this.name = name;
    }

    @Override
    public boolean takePermit() {
        if (!hasPermit()) {
            return false;
        }
        taken++;
        return true;
    }

    @Override
    public boolean hasPermit() {
        return limit == 0 || taken < limit;
    }

    @Override
    public void returnPermit() {
        taken--;
    }

    @Override
    public String toString() {
        return name;
    }
}
