package io.warren.mirroring.ring;

/**
 * A sequence of elements with consecutive numbers that grows at its end and shrinks at both.
 *
 * <p>A circular array that doubles when full; its users bound what they put in. Finding an element by its number, adding and
 * removing cost the same whatever the length.
 */
final class Numbered<E> {
    private Object[] slots = new Object[16];
    private long firstNumber;
    private int head;
    private int count;

    /** @param firstNumber number the first element will have */
    Numbered(long firstNumber) {
        this.firstNumber = firstNumber;
    }

    long firstNumber() {
        return firstNumber;
    }

    /** Number of the last element; one less than the first number when empty. */
    long lastNumber() {
        return firstNumber + count - 1;
    }

    int size() {
        return count;
    }

    @SuppressWarnings("unchecked")
    E get(long number) {
        Invariant.check(number >= firstNumber && number <= lastNumber(), "element is there", number);
        return (E) slots[slot((int) (number - firstNumber))];
    }

    void addLast(E element) {
        if (count == slots.length) {
            grow();
        }
        slots[slot(count)] = element;
        count++;
    }

    @SuppressWarnings("NullAway") // a free slot holds null and is never read
    E removeFirst() {
        E first = get(firstNumber);
        slots[head] = null;
        head = slot(1);
        firstNumber++;
        count--;
        return first;
    }

    @SuppressWarnings("NullAway") // a free slot holds null and is never read
    void removeLast() {
        Invariant.check(count > 0, "something to remove", count);
        count--;
        slots[slot(count)] = null;
    }

    private int slot(int index) {
        return (head + index) & (slots.length - 1);
    }

    private void grow() {
        Object[] larger = new Object[slots.length * 2];
        for (int i = 0; i < count; i++) {
            larger[i] = slots[slot(i)];
        }
        slots = larger;
        head = 0;
    }
}
