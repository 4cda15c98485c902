package io.warren.test;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** What a test waits for is there in milliseconds, mostly at once: by default each wait would take a tenth of a second at least. */
public final class ShortPolls implements LauncherSessionListener {
    private static final Duration INTERVAL = Duration.ofMillis(10);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
