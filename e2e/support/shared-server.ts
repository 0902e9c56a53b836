import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import './localhost.ts'
import { makeTenant } from './people.ts'
import { sharedPrefix } from './run-dir.ts'
import { freePort, newDataDir, type RunningServer, startServer } from './server.ts'
import { becomeTenant } from './tenant.ts'

let shared: Promise<RunningServer> | undefined
let tenants = 0

const start = async (): Promise<RunningServer> => {
  const server = await startServer({ dataDir: await newDataDir(), port: await freePort(), endsWithUs: true })
  // It ends after us: what it leaves is removed at the end of the run.
  await writeFile(join(process.env['KAOPU_E2E_RUN'] ?? '', `${sharedPrefix}${server.pid}`), server.dataDir)
  return server
}

/**
 * The server of this worker, which the files that it runs come to one after another, each as a tenant of its own at an address of its own: what a
 * file makes is seen by no other. For whoever needs the platform's rights, other settings, the demo, or kills it, there is `startServer`.
 */
export const sharedServer = async (): Promise<Omit<RunningServer, 'kill' | 'stop'>> => {
  shared ??= start()
  const server = await shared
  tenants += 1
  const tenantId = `e${process.pid}${tenants}`
  const { port } = new URL(server.url)
  const url = `http://${tenantId}.localhost:${port}`
  await makeTenant(server.dataDir, { tenantId, name: `区卫生健康局${tenants}`, domain: url })
  becomeTenant(tenantId)
  return { pid: server.pid, url, dataDir: server.dataDir, output: server.output }
}
