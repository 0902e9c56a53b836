import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { keywordOf, markOf, showsAll, writes } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { resultNoun } from './result.noun.ts'
import { resultDetail, resultRow, scoreView } from './result.shapes.ts'

const filter = {
  examId: id(),
  itemId: optional(id()),
  unit: optional(text(20)),
  code: optional(named({ zh: '岗位代码', en: 'Post code' }, text(20))),
}

/** What the list is searched by; its file has the rows of the same search. */
const search = {
  ...filter,
  resultState: optional(int(1, 5)),
  /** 1: a correction waits for a second person; 2: corrected. */
  correctionWaits: optional(int(1, 2)),
  keyword: optional(keywordOf([markOf(resultNoun, 'name'), markOf(resultNoun, 'ticketNo')], text(50))),
}

/** T6 of domain 5.9, prefilled template and protocol; without `itemId` the file may hold several papers. 2401 once the paper is released. */
export const importResults = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/importResult',
  access: { staff: 'result_import' },
  input: strict({ examId: id(), itemId: optional(id()), ...importInput }),
  files: importFiles,
  output: importResult,
  tells: (['name', 'ticketNo', 'score', 'remark'] as const).map(field => markOf(resultNoun, field)),
  tx: 'own',
  keyed: 'own',
})

export const deleteResults = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/delResults',
  access: { staff: 'result_delete' },
  input: strict({ examId: id(), itemId: id(), ids: optional(ids()) }),
  output: Type.Object({ removed: Type.Integer() }),
})

/** Release (state 1) by a second person, now or at `scoreBegin`; withdrawal (state 0) by the tenant's administrator with a reason. */
export const releaseResults = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/releaseResults',
  access: { staff: ['result_release', 'result_withdraw'] },
  input: strict({
    examId: id(),
    itemIds: ids(),
    state: flag(),
    scoreBegin: optional(time()),
    showRank: optional(flag()),
    showLine: optional(flag()),
    /** Tell people by text message too. */
    sms: optional(flag()),
    reason: optional(text(200)),
    /** Answers of whom a release or a withdrawal would be and what keeps it back, and changes nothing. */
    dryRun: optional(flag()),
    /** The code of the examination, typed by whoever releases or withdraws. */
    confirmCode: optional(text(20)),
  }),
  /**
   * `people` = candidates with a result; `scheduled` = when it will be released, null when it is done. `plan` with `dryRun` alone: the papers
   * with their people, and in `refused` why they cannot be released or withdrawn now.
   */
  several: { because: 'the papers of one release' },
  output: Type.Object({
    people: Type.Integer(),
    scheduled: nullable(Type.String()),
    plan: nullable(
      Type.Object({
        examName: Type.String(),
        examCode: Type.String(),
        refused: nullable(Type.Object({ code: Type.Integer(), msg: Type.String() })),
        /** Pass lines that were moved after the results came in, and for how many people that changed the outcome. */
        lines: Type.Array(Type.Object({ name: Type.String(), before: nullable(Type.String()), after: nullable(Type.String()) })),
        moved: Type.Integer(),
        /** Results that say something else than what was marked in the room; the first of them by name. */
        against: Type.Object({
          total: Type.Integer(),
          people: Type.Array(
            Type.Object(
              showsAll(resultNoun, {
                itemName: Type.String(),
                ticketNo: Type.String(),
                name: Type.String(),
                /** 1 normal, 2 absent, 3 disciplined, 4 zero, 5 exempt. */
                resultState: Type.Integer(),
                score: nullable(Type.String()),
                /** What the room says. */
                room: Type.String(),
              }),
            ),
          ),
        }),
        /** The other papers whose results are not out: 0 none, 1 imported. */
        rest: Type.Array(Type.Object({ itemName: Type.String(), itemType: Type.Integer(), scoreState: Type.Integer() })),
        papers: Type.Array(
          Type.Object({
            itemName: Type.String(),
            startTime: Type.String(),
            endTime: Type.String(),
            /** Holders of a valid ticket, and those of them without a result. */
            holders: Type.Integer(),
            missing: Type.Integer(),
            results: Type.Integer(),
            absent: Type.Integer(),
            disciplined: Type.Integer(),
          }),
        ),
      }),
    ),
  }),
})

/**
 * For how many people other pass lines would change the outcome, by the results that are imported: asked before they are saved. A line that is
 * left out stays; an empty one is none; `papers` is `id:line` with commas between.
 */
export const weighLines = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/weighLines',
  access: { staff: ['examination_edit', 'examitem_edit'] },
  input: strict({ examId: id(), passScore: optional(text(12)), interviewPass: optional(text(12)), papers: optional(text(2_000)) }),
  output: Type.Object({
    /** People with a result. */
    imported: Type.Integer(),
    /** Of them, those whose outcome changes. */
    people: Type.Integer(),
    nowPass: Type.Integer(),
    nowFail: Type.Integer(),
    /** Come onto a shortlist, or leave one. */
    shortlist: Type.Integer(),
  }),
  tx: 'read',
})

export const exportResult = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/exportResult',
  access: { staff: 'result_export' },
  input: strict(search),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  also: ['GET /blade-exam/examination/exportResult'],
})

/** The papers of an examination with what stands in the way of their results. */
export const findResultItems = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/findResultItems',
  access: { staff: 'result_view' },
  input: strict({ examId: id() }),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      itemName: Type.String(),
      itemCode: Type.String(),
      fullScore: Type.String(),
      /** Per cent of the written or the interview score. */
      weight: Type.String(),
      startTime: Type.String(),
      endTime: Type.String(),
      /** 0 none, 1 imported, 2 released. */
      scoreState: Type.Integer(),
      /** Holders of a valid ticket, and those of them without a result. */
      holders: Type.Integer(),
      missing: Type.Integer(),
      /** Whether the reader imported or corrected any of these results, and so may not release them (2402). */
      isOwnWork: Type.Boolean(),
      /** When the results will be released, where that is ordered. */
      releaseTime: nullable(Type.String()),
    }),
  ),
  tx: 'read',
})

export const resultList = defineRoute({
  method: 'GET',
  path: '/blade-result/result/list',
  access: { staff: 'result_view' },
  input: strict({ ...pageInput, ...search }),
  output: pageOf(resultRow),
  tx: 'read',
  also: ['GET /blade-result/result/page'],
})
export const resultOne = defineRoute({
  method: 'GET',
  path: '/blade-result/result/detail',
  access: { staff: 'result_view' },
  input: strict({ id: id() }),
  output: resultDetail,
})
/**
 * One correction with a reason. Before release it is applied at once; after it, it waits until another person calls with
 * `correctionId` and `confirm` (1 apply, 0 reject with the reason why). With 0 its proposer takes it back.
 */
export const correctResult = defineRoute({
  method: 'POST',
  path: '/blade-result/result/submit',
  access: { staff: 'result_edit' },
  input: strict({
    id: id(),
    score: writes(resultNoun, 'score', optional(nullable(text(10)))),
    resultState: optional(int(1, 5)),
    bonus: writes(resultNoun, 'score', optional(text(10))),
    remark: writes(resultNoun, 'remark', optional(nullable(text(200)))),
    reason: optional(text(200)),
    version: optional(Type.Integer({ minimum: 0 })),
    correctionId: optional(id()),
    confirm: optional(flag()),
  }),
  output: Type.Object({ id: Type.String(), correctionId: Type.String(), state: Type.String() }),
})
export const removeResults = defineRoute({
  method: 'POST',
  path: '/blade-result/result/remove',
  access: { staff: 'result_delete' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: Type.Integer() }),
})

/** The candidate's own score of an examination; staff name the sign-up and see what the candidate sees. */
export const examScore = defineRoute({
  method: 'GET',
  path: '/blade-signup/score/getExamScore',
  access: { staff: 'result_view', candidate: 'own' },
  input: strict({ examId: id(), signupId: optional(id()) }),
  output: scoreView,
  tx: 'own',
})

/** What leads from the candidate's own scores to the root that was published: whoever has it needs nobody's word for it. */
export const getScoreProof = defineRoute({
  method: 'GET',
  path: '/blade-signup/score/getScoreProof',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({
    examName: Type.String(),
    /** The text that is hashed: what was released about this person. */
    leaf: Type.String(),
    place: Type.Integer(),
    leaves: Type.Integer(),
    path: Type.Array(Type.String()),
    root: Type.String(),
    rootNo: Type.Integer(),
    publishedAt: Type.String(),
  }),
  tx: 'read',
})

/** The published roots of an examination, newest first, and the seeds of its draws: promised before, told after. */
export const scoreRoots = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/scoreRoots',
  access: { public: true, because: 'a root that not everybody can read proves nothing' },
  input: strict({ examId: id() }),
  output: Type.Object({
    examName: Type.String(),
    examCode: Type.String(),
    roots: Type.Array(
      Type.Object({
        rootNo: Type.Integer(),
        root: Type.String(),
        leaves: Type.Integer(),
        /** release, correction or withdrawal. */
        cause: Type.String(),
        publishedAt: Type.String(),
      }),
    ),
    draws: Type.Array(
      Type.Object({
        itemCode: Type.String(),
        itemName: Type.String(),
        /** SHA-256 of the seed, published before the draw. */
        seedCommit: Type.String(),
        /** The seed itself, once the tickets are released. */
        seedReveal: nullable(Type.String()),
        /** Every plan of seats that was drawn with it: SHA-256 of the record of the draw, published when it was made. */
        plans: Type.Array(
          Type.Object({
            version: Type.Integer(),
            people: Type.Integer(),
            seedCommit: Type.String(),
            digest: Type.String(),
            /** Root of the tree over the seats, to which everybody’s own leads (`getSeatProof`); null for draws of before. */
            seatRoot: nullable(Type.String()),
            drawnTime: Type.String(),
          }),
        ),
      }),
    ),
  }),
  tx: 'own',
})

export const resultRoutes = [
  importResults,
  deleteResults,
  releaseResults,
  weighLines,
  exportResult,
  findResultItems,
  resultList,
  resultOne,
  correctResult,
  removeResults,
  examScore,
  getScoreProof,
  scoreRoots,
] as const
