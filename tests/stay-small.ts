/** To start a program takes longer the larger the process is, so what earlier files have left behind goes first. */
globalThis.gc?.();
