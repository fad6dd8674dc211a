/** The one exception, its codes and what each code allows the caller to do. */
package io.flinkfluss.storage.api.error;
