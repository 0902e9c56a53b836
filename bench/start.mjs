// npm run bench, on any Node from 20.19 on: installs when needed, then hands over to the Node that comes with the packages.
import { join } from 'node:path'
import { install, pinnedNode, root, run, Trouble } from '../tools/install.mjs'

try {
  await install()
  process.exitCode = await run(pinnedNode(), [join(root, 'bench', 'run.ts'), ...process.argv.slice(2)])
} catch (error) {
  if (!(error instanceof Trouble)) throw error
  console.error(error.message)
  process.exitCode = 1
}
