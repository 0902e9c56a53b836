import { afterEach } from 'vitest'
import { saveTraces } from './browser.ts'

afterEach(saveTraces)
