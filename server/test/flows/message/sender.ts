import { neverHeld } from '#kernel/hold.ts'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

// A process of the program that sends by the emulator of another one; `killed.test.ts` starts and kills it.
const [dataDir = '', databaseUrl = '', emulatorUrl = ''] = process.argv.slice(2)
await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir }),
  secrets: await loadSecrets({ dataDir }),
  databaseUrl,
  log: createLog('silent'),
  isPrepared: true,
  sms: {
    gateway: {
      outbound: createOutbound({ hold: neverHeld, allowedOrigins: [], localOrigins: () => [emulatorUrl] }),
      origin: async () => emulatorUrl,
    },
    emulator: () => Promise.reject(new Error('the emulator runs in the process of the test')),
    close: async () => {},
  },
})
process.send?.('ready')
