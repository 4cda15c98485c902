/** Rules over the compiled classes of every module. */
package io.warren.architecture;
