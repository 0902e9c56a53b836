import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type Flowable, stepsOnFlowable } from '../../support/flowable.ts'
import { flowableFolder, isJavaThere } from '../../support/flowable-java.ts'
import { ownSteps } from '../../support/own-steps.ts'

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

const withFlowable = async <T>(work: (flowable: Flowable) => Promise<T>): Promise<T> => {
  const folder = flowableFolder()
  const port = await freePort()
  const database = ['url=jdbc:h2:mem:fl;DB_CLOSE_DELAY=-1', 'username=sa', 'password='].map(text => `--spring.datasource.${text}`)
  const address = [`--server.port=${port}`, '--server.address=127.0.0.1']
  const java = spawn('java', ['-Xmx512m', '-cp', '.:lib/*', 'oracle.App', ...address, ...database], { cwd: folder })
  try {
    await new Promise<void>((resolve, reject) => {
      java.stdout.on('data', (text: Buffer) => text.includes('Started App') && resolve())
      java.once('exit', code => reject(new Error(`Flowable ended with ${code}`)))
    })
    return await work({ url: `http://127.0.0.1:${port}` })
  } finally {
    java.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

test.runIf(isJavaThere)(
  '[S7.32] 1,000 random processes, step by step against a real Flowable: no difference',
  async () => {
    const differences = await withFlowable(async flowable => {
      const found: unknown[] = []
      for (let seed = 1; seed <= 1000; seed += 1) {
        const [own, theirs] = [await ownSteps(seed), await stepsOnFlowable(flowable, seed)]
        if (own.join(' ') !== theirs.join(' ')) found.push({ seed, own, theirs })
      }
      return found
    })
    expect(differences).toEqual([])
  },
  1_800_000,
)
