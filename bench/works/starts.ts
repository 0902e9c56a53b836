import { spread } from '../measure.ts'
import { residentMb } from '../proc.ts'
import { type ProductSettings, startProduct } from '../programs.ts'
import { type Figure, range } from '../report.ts'

/** Start on a database that is migrated and seeded, and the memory the server holds when nobody asks for anything. */
export const measureStarts = async (settings: ProductSettings, times: number, idleMs: number): Promise<Figure[]> => {
  const startMs: number[] = []
  const memory: number[] = []
  for (let i = 0; i < times; i += 1) {
    const program = await startProduct(settings)
    startMs.push(program.startMs / 1000)
    await new Promise(next => setTimeout(next, idleMs))
    memory.push(residentMb(program.pid))
    await program.stop()
  }
  const [start, idle] = [spread(startMs), spread(memory)]
  return [
    { work: 'warm start, database running', product: range(start, ' s'), floor: '', ratio: '', goal: '≤ 1.5 s', met: start.median <= 1.5 },
    {
      work: 'idle memory without the database',
      product: range(idle, ' MB'),
      floor: '',
      ratio: '',
      goal: '≤ 150 MB',
      met: idle.median <= 150,
    },
  ]
}
