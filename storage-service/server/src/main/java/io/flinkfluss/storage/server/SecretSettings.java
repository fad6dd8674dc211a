package io.flinkfluss.storage.server;

import java.util.regex.Pattern;

/**
 * Which settings hold secrets. Such a value is used where it is needed and goes nowhere else: not
 * to clients, who bring their own, not into logs, errors or status.
 */
final class SecretSettings {
    private static final Pattern KEY =
            Pattern.compile(
                    "secret|passw|passphrase|token|credential|signature"
                            + "|(access|account|private|api|encryption)[._-]?key",
                    Pattern.CASE_INSENSITIVE);

    /** A URI with a user's password, or a parameter that is one. */
    private static final Pattern VALUE =
            Pattern.compile(
                    "://[^/@\\s]*:[^/@\\s]+@|(password|passwd|secret|token|signature|sig)=",
                    Pattern.CASE_INSENSITIVE);

    private SecretSettings() {}

    static boolean isSecret(String key, String value) {
        return KEY.matcher(key).find() || VALUE.matcher(value).find();
    }
}
