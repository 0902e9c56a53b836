import { startEmbedded } from '#kernel/db/embedded.ts'
import { createLog } from '#kernel/log.ts'

/** A process that holds an embedded database: prints what it got, then waits to be told to stop or to be killed. */
const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('data folder?')

const { url, port, reused, stop } = await startEmbedded({ dataDir, log: createLog('silent') })
process.on('message', () => void stop().then(() => process.exit(0)))
process.send?.({ url, port, reused })
