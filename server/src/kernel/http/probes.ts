import type { FastifyInstance } from 'fastify'

/** One thing that this process needs in order to serve. */
export interface Check {
  /** What is wrong, in words for an operator; undefined where all is well. A failure of the look itself counts as a problem too. */
  readonly problem: () => Promise<string | undefined>
  /** Shared by all processes of the installation: where it is away, no other process serves better. */
  readonly isShared: boolean
}

/** `ok`, or what is wrong, by the name of the check. */
export type Findings = Readonly<Record<string, string>>

export interface Readiness {
  /** Looks at everything at once; never fails and never takes longer than `limitMs`. @param ownOnly - leaves out what is shared */
  readonly look: (ownOnly?: boolean) => Promise<Findings>
}

/** Below the second after which whoever asks gives up. */
const usualLimitMs = 800

/**
 * @param limitMs - so long one check may take, in milliseconds
 */
export const createReadiness = (checks: Readonly<Record<string, Check>>, limitMs = usualLimitMs): Readiness => {
  /** Looks that have not ended: a check that hangs is not begun again by everybody who asks. */
  const running = new Map<string, Promise<string>>()
  const begin = (name: string, { problem }: Check): Promise<string> => {
    const known = running.get(name)
    if (known) return known
    const look = (async () => (await problem()) ?? 'ok')().catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    )
    running.set(name, look)
    void look.finally(() => running.delete(name))
    return look
  }
  const within = async (look: Promise<string>): Promise<string> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>(done => {
      timer = setTimeout(() => done(`no answer within ${limitMs / 1_000} s`), limitMs)
    })
    return await Promise.race([look, late]).finally(() => clearTimeout(timer))
  }
  return {
    look: async (ownOnly = false) => {
      const wanted = Object.entries(checks).filter(([, check]) => !(ownOnly && check.isShared))
      return Object.fromEntries(await Promise.all(wanted.map(async ([name, check]) => [name, await within(begin(name, check))] as const)))
    },
  }
}

/**
 * `/api/live`: the process runs and answers. `/api/ready`: it can serve; 503 names what is missing. `/api/ready?scope=own` leaves out what all
 * processes share, for a proxy that chooses among them: while the database is away the program itself says so in better words.
 *
 * @param phase - undefined while the process serves; else why it wants no more calls
 */
export const mountProbes = (app: FastifyInstance, readiness: Readiness, phase: () => string | undefined): void => {
  app.get('/api/live', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ live: true }))
  app.get('/api/ready', async (request, reply) => {
    const { scope } = request.query as { readonly scope?: unknown }
    const checks = { program: phase() ?? 'ok', ...(await readiness.look(scope === 'own')) }
    const ready = Object.values(checks).every(finding => finding === 'ok')
    reply.header('Cache-Control', 'no-store')
    if (!ready) reply.header('Retry-After', '2')
    return reply.status(ready ? 200 : 503).send({ ready, checks })
  })
}
