/** The one exception, its codes, what each code allows the caller to do, and help with messages. */
package io.flinkfluss.storage.api.error;
