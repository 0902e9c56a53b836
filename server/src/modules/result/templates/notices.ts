import type { Label } from '#contract/kernel/label.ts'
import type { Notice } from '#modules/message/index.ts'

const link = '/signup/score'

type Text = Pick<Notice, 'title' | 'content' | 'words' | 'link'>

/** Texts of domain 13.5: no id numbers, no scores. */
export const releasedNotice = (exam: string): Text => ({
  words: { scene: 'result-released', params: { exam } },
  title: { zh: '成绩已发布', en: 'Results released' },
  content: { zh: `${exam} 成绩已发布，请登录查看。`, en: `The results of ${exam} are released; sign in to see yours.` },
  link,
})
export const correctedNotice = (exam: string, paper: string): Text => ({
  words: { scene: 'result-corrected', params: { exam } },
  title: { zh: '成绩更正', en: 'Result corrected' },
  content: {
    zh: `${exam} 您的“${paper}”成绩已更正。更正前后的成绩和原因请登录查看。`,
    en: `Your result of ${paper} (${exam}) was corrected; sign in to see it before and after, and why.`,
  },
  link,
})
/** Told to whoever proposed a correction. @param remark why it was rejected; null: it counts */
export const correctionDecidedNotice = (
  exam: string,
  { examId, name, itemName }: { readonly examId: string; readonly name: string; readonly itemName: string },
  remark: string | null,
): Pick<Notice, 'title' | 'content' | 'link'> => ({
  title: remark === null ? { zh: '成绩更正已确认', en: 'Correction confirmed' } : { zh: '成绩更正被驳回', en: 'Correction rejected' },
  content:
    remark === null
      ? {
          zh: `${exam} ${name} 的“${itemName}”成绩更正已由另一人确认，已生效并通知考生。`,
          en: `The correction of ${itemName} for ${name} (${exam}) was confirmed; it counts and the candidate is told.`,
        }
      : {
          zh: `${exam} ${name} 的“${itemName}”成绩更正被驳回：${remark}`,
          en: `The correction of ${itemName} for ${name} (${exam}) was rejected: ${remark}`,
        },
  link: `/exam/examination/${examId}/results`,
})
/** Told to the office: places of people who were called to the re-review are other ones now. */
export const movedInReviewNotice = (
  exam: string,
  examId: string,
  code: string,
  people: number,
): Pick<Notice, 'title' | 'content' | 'link'> => ({
  title: { zh: '成绩更正影响资格复审', en: 'A correction touches the re-review' },
  content: {
    zh: `${exam} 岗位 ${code} 因成绩更正，${people} 名已通知资格复审的考生名次或入围情况有变化。名单已按新成绩显示，请核对是否需要处理。`,
    en: `After a correction in post ${code} of ${exam} the places of ${people} people in the re-review changed. The list shows the new ones; see whether anything follows from it.`,
  },
  link: `/examine/review?examId=${examId}`,
})
/** Whoever asked to have a score looked at again has an answer. */
export const recheckAnsweredNotice = (exam: string, paper: string): { title: Label; content: Label; link: string } => ({
  title: { zh: '成绩复查已答复', en: 'Your score was looked at again' },
  content: {
    zh: `${exam}（${paper}）成绩复查已有结果，请登录查看。`,
    en: `There is an answer to your question about ${paper} of ${exam}; sign in to read it.`,
  },
  link,
})
/** Told to whoever could see a result that is taken back: the message of its release does not hold any more. */
export const withdrawnNotice = (exam: string, papers: string): Text => ({
  title: { zh: '成绩核对中', en: 'Results are being checked' },
  content: {
    zh: `${exam}（${papers}）成绩正在核对，此前发布的成绩和“成绩已发布”的通知不再有效。核对后将重新发布并通知您。`,
    en: `The results of ${exam} (${papers}) are being checked. What was published and the message “Results released” no longer hold; you will be told when they are released again.`,
  },
  link,
})
/** Told to whoever ordered a release for a time at which it could not be done. */
export const releaseSkippedNotice = (exam: string, papers: string, examId: string, reason: Label): Text => ({
  title: { zh: '定时发布未执行', en: 'A release that was ordered did not happen' },
  content: {
    zh: `${exam}（${papers}）的成绩到时未发布：${reason.zh}。请处理后重新发布。`,
    en: `The results of ${exam} (${papers}) were not released at their time: ${reason.en}. Please mend it and release them again.`,
  },
  link: `/result/result?examId=${examId}`,
})
/** A place of the post was given up or given back; nobody's score changed. */
export const placesMovedNotice = (exam: string): Text => ({
  title: { zh: '排名有变化', en: 'Your rank changed' },
  content: {
    zh: `${exam} 因有考生退出或恢复资格，您的岗位排名或入围情况有变化，请登录查看。`,
    en: `Somebody left ${exam} or came back, so your rank or place on the shortlist changed; sign in to see it.`,
  },
  link,
})
export const movedNotice = (exam: string): Text => ({
  title: { zh: '排名有变化', en: 'Your rank changed' },
  content: {
    zh: `${exam} 因成绩更正，您的岗位排名或入围情况有变化，请登录查看。`,
    en: `After a correction in ${exam} your rank or place on the shortlist changed; sign in to see it.`,
  },
  link,
})

/** What comes next for a candidate (domain 5.13 `nextStep`). */
export const nextStep = (facts: {
  /** Why the person does not take the examination any more. */
  readonly out: Label | undefined
  readonly isInCheck: boolean
  readonly missed: 'absent' | 'disciplined' | undefined
  readonly shortlist: number
  readonly hasPlace: boolean
  /** The written score is out, and an interview that counts is to come. */
  readonly interviewFollows: boolean
}): Label => {
  if (facts.out) return facts.out
  if (facts.missed === 'absent') return { zh: '您有科目缺考，不能进入下一环节', en: 'You missed a paper and cannot go on to the next step' }
  if (facts.missed === 'disciplined')
    return { zh: '您有科目成绩因违纪无效，不能进入下一环节', en: 'A paper does not count because of a breach of rules; you cannot go on' }
  if (facts.isInCheck) return { zh: '成绩核对中，请稍后查看', en: 'The results are being checked; please look again later' }
  if (!facts.hasPlace) return { zh: '其他科目成绩尚未发布，请等待', en: 'Other papers are not released yet; please wait' }
  if ((facts.shortlist === 1 || facts.shortlist === 2) && facts.interviewFollows)
    return {
      zh: '您已入围，请留意资格复审和面试通知；面试后公布总成绩',
      en: 'You are on the shortlist; watch for the re-review and interview notice. The total follows after the interview',
    }
  if (facts.shortlist === 1 || facts.shortlist === 2)
    return { zh: '您已入围，请留意资格复审和面试通知', en: 'You are on the shortlist; watch for the re-review and interview notice' }
  if (facts.shortlist === 3) return { zh: '您已放弃或未通过资格复审', en: 'You gave up or did not pass the re-review' }
  return { zh: '您未入围，感谢参加', en: 'You are not on the shortlist; thank you for taking part' }
}
