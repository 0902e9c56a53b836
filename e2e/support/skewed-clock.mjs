// Loaded before a process of the tests: its clock is as far off as the file of TEST_CLOCK_FILE says, in ms, as that of a machine would be.
import { readFileSync } from 'node:fs'

const file = process.env['TEST_CLOCK_FILE'] ?? ''
const right = Date.now
Date.now = () => right() + Number(readFileSync(file, 'utf8'))
