// Loaded before a program whose output a test reads: lets the program take it for a terminal.
process.stdout.isTTY = true;
