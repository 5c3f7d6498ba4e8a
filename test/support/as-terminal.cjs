// Loaded before a program whose output a test reads: makes the program believe that its output is a terminal.
process.stdout.isTTY = true;
