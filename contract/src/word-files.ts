// Written by `npm run nouns` from the files that are there. Do not edit.
import type { TrailWords } from './kernel/trail-words.ts'
import { trailWords as access } from './access/trail-words.ts'
import { trailWords as auth } from './auth/trail-words.ts'
import { trailWords as develop } from './develop/trail-words.ts'
import { trailWords as exam } from './exam/trail-words.ts'
import { trailWords as file } from './file/trail-words.ts'
import { trailWords as flow } from './flow/trail-words.ts'
import { trailWords as installation } from './installation/trail-words.ts'
import { trailWords as job } from './job/trail-words.ts'
import { trailWords as log } from './log/trail-words.ts'
import { trailWords as message } from './message/trail-words.ts'
import { trailWords as news } from './news/trail-words.ts'
import { trailWords as organisation } from './organisation/trail-words.ts'
import { trailWords as oversight } from './oversight/trail-words.ts'
import { trailWords as pay } from './pay/trail-words.ts'
import { trailWords as person } from './person/trail-words.ts'
import { trailWords as reduction } from './reduction/trail-words.ts'
import { trailWords as reference } from './reference/trail-words.ts'
import { trailWords as report } from './report/trail-words.ts'
import { trailWords as result } from './result/trail-words.ts'
import { trailWords as selection } from './selection/trail-words.ts'
import { trailWords as signup } from './signup/trail-words.ts'
import { trailWords as tenancy } from './tenancy/trail-words.ts'
import { trailWords as ticket } from './ticket/trail-words.ts'
import { trailWords as transfer } from './transfer/trail-words.ts'

export const trailWords: readonly TrailWords[] = [
  access,
  auth,
  develop,
  exam,
  file,
  flow,
  installation,
  job,
  log,
  message,
  news,
  organisation,
  oversight,
  pay,
  person,
  reduction,
  reference,
  report,
  result,
  selection,
  signup,
  tenancy,
  ticket,
  transfer,
]
