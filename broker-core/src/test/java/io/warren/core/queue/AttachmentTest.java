package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttachmentTest {

    private final Attachment attachment = new Attachment();
    private final List<QueueDelivery> deliveries = new ArrayList<>();

    private void add(int count) {
        for (int offset = 0; offset < count; offset++) {
            QueueDelivery delivery = new QueueDelivery(() -> "q", offset, Messages.message("m"), false, null);
            deliveries.add(delivery);
            attachment.add(delivery);
        }
    }

    private List<Long> drained() {
        List<Long> offsets = new ArrayList<>();
        for (QueueDelivery first = attachment.first(); first != null; first = attachment.first()) {
            offsets.add(first.offset());
            attachment.remove(first);
        }
        return offsets;
    }

    @Test
    void shouldGiveOldestFirstWhenDrained() {
        add(3);

        assertThat(drained()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldKeepOrderOfTheOthersWhenOneIsTakenOut() {
        add(5);

        attachment.remove(deliveries.get(2));
        attachment.remove(deliveries.get(0));
        attachment.remove(deliveries.get(4));
        attachment.add(deliveries.get(2));

        assertThat(drained()).containsExactly(1L, 3L, 2L);
    }

    @Test
    void shouldForgetNeighboursWhenTakenOut() {
        add(3);
        QueueDelivery middle = deliveries.get(1);

        attachment.remove(middle);

        assertThat(middle.attachment).isNull();
        assertThat(middle.previous).isNull();
        assertThat(middle.next).isNull();
        assertThat(deliveries.get(0).attachment).isSameAs(attachment);
    }
}
