import { createHash } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import { leafOf, pairOf } from '#contract/kernel/inclusion-proof.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import type { getScoreProof, scoreRoots } from '#contract/result/result.routes.ts'
import { leafText } from '#contract/result/score-proof.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { hashTree, placesBeside } from '#kernel/hash-tree.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { randomBytes } from '#kernel/random.ts'
import { inTurns } from '#kernel/turns.ts'
import { listPapers } from '#modules/exam/index.ts'
import { listDraws } from '#modules/ticket/index.ts'
import { findExamOfResults } from '../data/exam.repo.ts'
import {
  addRoot,
  addSalts,
  findLeaf,
  listReleasedLines,
  listRoots,
  listSalts,
  movePlaces,
  newestRoot,
  type ReleasedLine,
  type RootCause,
  readHashes,
  releasedLinesOf,
} from '../data/proof.repo.ts'
import { findSignupForScore } from '../data/score.repo.ts'

const digest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const saltBytes = 16

/**
 * Publishes the root over all released scores of an examination as they stand in this transaction. Whoever releases, corrects or withdraws calls it
 * last and holds the lock of the examination's results. Roots are only ever added: a score that changed later shows in the next root.
 */
export const publishRoot = async (db: TenantDb, ctx: Ctx | undefined, examId: string, cause: RootCause): Promise<void> => {
  const exam = await findExamOfResults(db, examId)
  if (!exam) throw new Error(`examination ${examId} is not there`)
  const people = new Map<string, ReleasedLine[]>()
  await inTurns(await listReleasedLines(db, examId), line => {
    const own = people.get(line.signupId)
    if (own) own.push(line)
    else people.set(line.signupId, [line])
  })
  const known = new Map((await listSalts(db, examId)).map(row => [row.signupId, row]))
  const fresh = [...people]
    .filter(([signupId]) => !known.has(signupId))
    .map(([signupId, [line]]) => ({ signupId, userId: line?.userId ?? '0', salt: randomBytes(saltBytes).toString('hex') }))
  await addSalts(db, examId, fresh)
  const salts = new Map([...known.values(), ...fresh].map(row => [row.signupId, row.salt]))
  // In the order of salts: the place of a person says nothing about the person.
  const order = [...people.keys()].sort((a, b) => ((salts.get(a) ?? '') < (salts.get(b) ?? '') ? -1 : 1))
  const leaves: Uint8Array[] = []
  await inTurns(order, signupId => {
    const facts = {
      tenantId: db.actor.tenantId,
      examCode: exam.examCode,
      scores: people.get(signupId) ?? [],
      salt: salts.get(signupId) ?? '',
    }
    leaves.push(digest(leafOf(leafText(facts))))
  })
  const places = new Map<string, number | null>(order.map((signupId, place) => [signupId, place]))
  const moved = [...salts.keys()].flatMap(signupId => {
    const place = places.get(signupId) ?? null
    return place === (known.get(signupId)?.place ?? null) ? [] : [{ signupId, place }]
  })
  await movePlaces(db, moved)
  const levels = hashTree(leaves, digest, pairOf)
  const root = Buffer.from(levels.at(-1) ?? []).toString('hex')
  const before = await newestRoot(db, examId)
  const rootNo = (before?.rootNo ?? 0) + 1
  await addRoot(db, { examId, rootNo, root, leaves: leaves.length, cause }, levels)
  await audit(db, ctx, {
    action: 'score-root.published',
    entity: 'examination',
    entityId: examId,
    after: { rootNo, root, leaves: leaves.length, cause },
  })
}

/** What leads from the caller's own released scores to the newest published root. */
export const proveOwn = async (db: TenantDb, examId: string, userId: string): Promise<OutputOf<typeof getScoreProof> | Refusal> => {
  const signup = await findSignupForScore(db, { examId, userId })
  if (!signup) return refuse('kernel/not-found', {})
  const scores = await releasedLinesOf(db, signup.id)
  if (scores.length === 0) return refuseResult('result/not-released', {})
  const [exam, leaf, newest] = [await findExamOfResults(db, examId), await findLeaf(db, signup.id), await newestRoot(db, examId)]
  // Released before roots were published: the next release or correction brings one.
  if (!exam || !newest || !leaf || leaf.place === null) return refuseResult('result/no-root', {})
  return {
    examName: exam.examName,
    leaf: leafText({ tenantId: db.actor.tenantId, examCode: exam.examCode, scores, salt: leaf.salt }),
    place: leaf.place,
    leaves: newest.leaves,
    path: await readHashes(db, examId, placesBeside(leaf.place, newest.leaves)),
    root: newest.root,
    rootNo: newest.rootNo,
    publishedAt: toWireTime(newest.publishedAt),
  }
}

/** What is published for everybody to compare with: all roots of the examination, and what its seats were drawn with. */
export const readRoots = async (db: TenantDb, examId: string): Promise<OutputOf<typeof scoreRoots> | Refusal> => {
  const exam = await findExamOfResults(db, examId)
  if (!exam || exam.state === 'draft') return refuse('kernel/not-found', {})
  const drawn = Map.groupBy(await listDraws(db, examId), draw => draw.itemId)
  return {
    examName: exam.examName,
    examCode: exam.examCode,
    roots: (await listRoots(db, examId)).map(({ publishedAt, ...root }) => ({ ...root, publishedAt: toWireTime(publishedAt) })),
    draws: (await listPapers(db, examId)).flatMap(({ id, itemCode, itemName, seedCommit, seedReveal }) => {
      if (seedCommit === null) return []
      const plans = (drawn.get(id) ?? []).map(({ version, people, seedCommit: by, digest, seatRoot, drawnAt }) => ({
        ...{ version, people, seedCommit: by, digest, seatRoot },
        drawnTime: toWireTime(drawnAt),
      }))
      return [{ itemCode, itemName, seedCommit, seedReveal, plans }]
    }),
  }
}
