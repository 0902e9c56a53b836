// A process of the program whose scheduler runs jobs; `bench/jobs.ts` starts two of them.
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

const [dataDir = '', databaseUrl = ''] = process.argv.slice(2)
const app = await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir }),
  secrets: await loadSecrets({ dataDir }),
  databaseUrl,
  log: createLog('error'),
  isPrepared: true,
})
// Work that takes no time: what is measured is how late it begins.
app.modules.job.bind([
  ...app.modules.processors,
  { name: 'bench.nothing', label: { zh: '无', en: 'Nothing' }, help: { zh: '无', en: 'Nothing' }, scope: 'tenant', run: async () => '' },
])
process.send?.('ready')
process.once('message', () => void app.close().then(() => process.exit(0)))
