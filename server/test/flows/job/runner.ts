import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

// A process of the program whose work either ends at once or never does; `killed.test.ts` starts two of them and kills one.
const [dataDir = '', databaseUrl = '', name = '', manner = ''] = process.argv.slice(2)
const app = await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir }),
  secrets: await loadSecrets({ dataDir }),
  databaseUrl,
  log: createLog('silent'),
  isPrepared: true,
})
app.modules.job.bind([
  {
    name: 'try.hold',
    label: { zh: '试', en: 'Try' },
    help: { zh: '试', en: 'Try' },
    scope: 'tenant',
    split: async ({ params }) => params.split(' '),
    run: async ({ params, item }) => {
      process.send?.({ took: item ?? params })
      return manner === 'hold' ? new Promise<string>(() => {}) : `done by ${name}`
    },
  },
])
process.send?.('ready')
process.once('message', () => void app.close().then(() => process.exit(0)))
