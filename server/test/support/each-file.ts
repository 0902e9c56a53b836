import { restartSerials } from './serial.ts'

// Runs before every test file, also where the process has run others before.
restartSerials()
