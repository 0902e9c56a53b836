// The draw of one examination: how long it takes, how much memory, and whether the same seed gives the same plan. `node bench/seating.ts [people]`.
import { createHash, createHmac } from 'node:crypto'
import { allocateSeats, type SeatingMode, type Sitter, seatingModes } from '../server/src/modules/ticket/domain/seating.ts'

const count = Number(process.argv[2] ?? 200_000)
const seed = createHash('sha256').update('bench').digest()
const posts = 2_000
const sitters: Sitter[] = Array.from({ length: count }, (_, i) => ({
  signupId: String(i),
  signNo: `202603${String(i + 1).padStart(8, '0')}`,
  // Few posts draw many people, many draw few.
  code: `P${Math.floor(posts * ((i * 0.618_033_988_75) % 1) ** 3)}`,
  unit: `U${i % 180}`,
  needsAccess: i % 500 === 0,
  relatedKeys: [`class|${i % 900}`],
}))
const rooms = Array.from({ length: Math.ceil((count * 1.02) / 30) }, (_, i) => ({
  siteCode: String(1 + Math.floor(i / 900)).padStart(2, '0'),
  roomNo: String(1 + (i % 900)).padStart(3, '0'),
  rows: 6,
  cols: 5,
  floor: 1 + (i % 5),
  accessible: i % 60 === 0,
}))
const run = (mode: SeatingMode) =>
  allocateSeats(
    sitters,
    rooms,
    { seed, examId: '1', itemGroup: '01', version: 1 },
    (key, data) => createHmac('sha256', key).update(data).digest(),
    mode,
  )
const digestOf = (plan: ReturnType<typeof run>): string =>
  createHash('sha256')
    .update(JSON.stringify(plan.ok ? plan.placements : plan))
    .digest('hex')

for (const mode of seatingModes) {
  const began = performance.now()
  const plan = run(mode)
  const tookMs = Math.round(performance.now() - began)
  const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024)
  const isSame = digestOf(run(mode)) === digestOf(plan)
  const conflicts = plan.ok ? plan.conflicts.length : -1
  process.stdout.write(`${mode}: ${count} people, ${tookMs} ms, ${memoryMb} MB, ${conflicts} neighbours left, same plan again: ${isSame}\n`)
}
