import type { Label } from '#contract/kernel/label.ts'
import { stageNames } from '#contract/selection/words.ts'
import type { Notice } from '#modules/message/index.ts'

export type NoticeText = Pick<Notice, 'title' | 'content' | 'words'>

/** The page where a candidate answers and sees what comes next. */
export const link = '/signup/selection'

const nameOf = (stage: number): Label => stageNames[stage] ?? { zh: '', en: '' }

/** Whose words a tenant may write itself; of the message and of the text message. */
export const sceneOf = (kind: 1 | 2): 'recheck-call' | 'substitute-call' => (kind === 1 ? 'recheck-call' : 'substitute-call')

/** Texts of domain 13.5: no id numbers, no scores. */
export const calledNotice = (exam: string, stage: number, kind: 1 | 2, deadline: string): NoticeText => {
  const name = nameOf(stage)
  const words: NoticeText['words'] = { scene: sceneOf(kind), params: { exam, deadline } }
  return kind === 1
    ? {
        words,
        title: { zh: '您已入围资格复审，请确认', en: 'You are called to the re-review: please answer' },
        content: {
          zh: `${exam}：您已入围资格复审，请于 ${deadline} 前在“复审与聘用”中确认并提交复审材料；逾期未确认视为放弃。`,
          en: `${exam}: you are called to the re-review. Answer under “Re-review and hire” until ${deadline} and hand in your papers; without an answer the place is given up.`,
        },
      }
    : {
        words,
        title: { zh: `您已递补进入${name.zh}，请确认`, en: `You moved up (${name.en}): please answer` },
        content: {
          zh: `${exam}：因有人放弃或不合格，您按名次递补进入${name.zh}，请于 ${deadline} 前在“复审与聘用”中确认；逾期未确认视为放弃。`,
          en: `${exam}: somebody gave up or did not pass, so you move up by your rank (${name.en}). Answer under “Re-review and hire” until ${deadline}; without an answer the place is given up.`,
        },
      }
}
export const extendedNotice = (exam: string, deadline: string): NoticeText => ({
  title: { zh: '确认期限已延长', en: 'The time to answer was extended' },
  content: {
    zh: `${exam}：请于 ${deadline} 前在“复审与聘用”中确认。`,
    en: `${exam}: answer under “Re-review and hire” until ${deadline}.`,
  },
})
export const endsNotice = (exam: string, stage: number, deadline: string): NoticeText => ({
  title: { zh: '确认即将截止', en: 'The time to answer ends soon' },
  content: {
    zh: `${exam}：您还没有确认是否参加${nameOf(stage).zh}，请于 ${deadline} 前在“复审与聘用”中确认；逾期未确认视为放弃。`,
    en: `${exam}: you have not said yet whether you take part (${nameOf(stage).en}). Answer under “Re-review and hire” until ${deadline}; without an answer the place is given up.`,
  },
})
export const askEndsNotice = (exam: string, deadline: string): NoticeText => ({
  title: { zh: '复检申请即将截止', en: 'The time to ask for a second check ends soon' },
  content: {
    zh: `${exam}：如需复检，请于 ${deadline} 前在“复审与聘用”中申请；逾期不申请即为体检不合格。`,
    en: `${exam}: ask for a second medical check under “Re-review and hire” until ${deadline}; without it the outcome stays.`,
  },
})
export const lapsedNotice = (exam: string, stage: number): NoticeText => ({
  title: { zh: '逾期未确认，视为放弃', en: 'Not answered in time: the place is given up' },
  content: {
    zh: `${exam}：您未在期限内确认参加${nameOf(stage).zh}，视为放弃。如有疑问请联系招聘单位。`,
    en: `${exam}: you had not answered in time (${nameOf(stage).en}), so the place is given up. Ask the office if this is wrong.`,
  },
})
export const recheckNotice = (exam: string, result: 1 | 2 | 3 | 4, remark: string): NoticeText => {
  const titles: Readonly<Record<1 | 2 | 3 | 4, Label>> = {
    1: { zh: '资格复审通过', en: 'You passed the re-review' },
    2: { zh: '资格复审需补充材料', en: 'The re-review asks for more papers' },
    3: { zh: '资格复审未通过', en: 'You did not pass the re-review' },
    4: { zh: '已登记您放弃资格复审', en: 'It was noted that you gave up the re-review' },
  }
  const texts: Readonly<Record<1 | 2 | 3 | 4, Label>> = {
    1: { zh: '请留意面试通知。', en: 'Watch for the notice of the interview.' },
    2: { zh: '请在“复审与聘用”中查看并补充。', en: 'See what it is under “Re-review and hire” and hand it in.' },
    3: { zh: '您的报名资格已取消。', en: 'Your sign-up no longer counts.' },
    4: { zh: '如有疑问请联系招聘单位。', en: 'Ask the office if this is wrong.' },
  }
  return {
    title: titles[result],
    content: {
      zh: `${exam}：${texts[result].zh}${remark}`.slice(0, 500),
      en: `${exam}: ${texts[result].en} ${remark}`.trim().slice(0, 800),
    },
  }
}
export const enteredNotice = (exam: string, stage: number): NoticeText => ({
  title: { zh: `您已进入${nameOf(stage).zh}环节`, en: `Next: ${nameOf(stage).en}` },
  content: {
    zh: `${exam}：您已进入${nameOf(stage).zh}环节，请登录查看下一步。`,
    en: `${exam}: you have come to this stage: ${nameOf(stage).en}. Sign in to see what comes next.`,
  },
})
export const failingNotice = (exam: string, deadline: string): NoticeText => ({
  title: { zh: '体检不合格，可申请复检', en: 'Medical check not passed: a second one is possible' },
  content: {
    zh: `${exam}：体检结果为不合格。您可于 ${deadline} 前在“复审与聘用”中申请复检一次。`,
    en: `${exam}: the medical check was not passed. A second one can be asked for once, under “Re-review and hire”, until ${deadline}.`,
  },
})
export const recheckAskedNotice = (exam: string, until: string): NoticeText => ({
  title: { zh: '已受理复检申请', en: 'Your second check was taken down' },
  content: {
    zh: `${exam}：复检应于 ${until} 前完成，请等候安排。`,
    en: `${exam}: it is due by ${until}; please wait for the appointment.`,
  },
})
export const outNotice = (exam: string, stage: number, isOwn: boolean): NoticeText => ({
  title: isOwn
    ? { zh: '已登记您放弃', en: 'It was noted that you gave up' }
    : { zh: `${nameOf(stage).zh}未通过`, en: `Not passed: ${nameOf(stage).en}` },
  content: {
    zh: `${exam}：您不再进入后续环节。如有疑问请联系招聘单位。`,
    en: `${exam}: you do not go on to the next stage. Ask the office if this is wrong.`,
  },
})
export const hiredNotice = (exam: string): NoticeText => ({
  title: { zh: '您已被聘用', en: 'You are hired' },
  content: { zh: `${exam}：聘用已登记，请按单位通知办理手续。`, en: `${exam}: the hire is on record; the unit tells you what to do next.` },
})
export const notChosenNotice = (exam: string): NoticeText => ({
  title: { zh: '招聘已结束', en: 'The recruitment has ended' },
  content: {
    zh: `${exam}：招聘已结束，您未进入聘用名单，感谢参加。`,
    en: `${exam}: the recruitment has ended and you are not among the hired; thank you for taking part.`,
  },
})
export const unprovenNotice = (exam: string, name: string): NoticeText => ({
  title: { zh: `${name} 逾期未确认且无送达凭证`, en: `${name} has not answered, and nothing proves they were told` },
  content: {
    zh: `${exam}：${name} 逾期未确认，但没有送达凭证，不视为放弃。请电话联系并登记。`,
    en: `${exam}: ${name} has not answered in time, but without proof of notice nobody loses a place. Call them and note it.`,
  },
})
export const overdueNotice = (exam: string, count: number): NoticeText => ({
  title: { zh: '复检逾期未登记结论', en: 'A second medical check is overdue' },
  content: {
    zh: `${exam}：${count} 人的复检已到期，尚未登记结论，请尽快登记。`,
    en: `${exam}: the second medical check of ${count} was due and has no outcome yet; please enter it.`,
  },
})
export const restoreProposedNotice = (exam: string, name: string): NoticeText => ({
  title: { zh: '有恢复资格的提议待决定', en: 'A proposal to restore a sign-up waits for you' },
  content: {
    zh: `${exam}：${name} 已取消资格的报名被提议恢复，请在该报名的详情页中决定。`,
    en: `${exam}: restoring the disqualified sign-up of ${name} was proposed. Decide on it on the page of the sign-up.`,
  },
})
export const restoredNotice = (exam: string, decision: string, isReviewed: boolean): NoticeText => ({
  title: { zh: '异议成立，您的报名资格已恢复', en: 'Your objection was upheld and your sign-up is restored' },
  content: {
    zh: `${exam}：您的报名资格已恢复，${isReviewed ? '将重新进行资格复审，请留意通知并在“复审与聘用”中提交材料' : '请登录查看下一步'}。说明：${decision}`,
    en: `${exam}: your sign-up is restored${isReviewed ? ' and re-reviewed anew. Watch for messages and hand in your papers under “Re-review and hire”' : '; sign in to see what comes next'}. The office says: ${decision}`,
  },
})
export const notRestoredNotice = (exam: string, decision: string): NoticeText => ({
  title: { zh: '异议不成立，维持取消资格', en: 'Your objection was not upheld' },
  content: {
    zh: `${exam}：经核查，维持取消资格的决定。说明：${decision}`,
    en: `${exam}: the office looked into it and the disqualification stays. The office says: ${decision}`,
  },
})
export const disqualifyProposedNotice = (exam: string, reason: string, until: string): NoticeText => ({
  title: { zh: '拟取消报名资格告知', en: 'It is proposed to disqualify your sign-up' },
  content: {
    zh: `${exam}：${reason}。招考单位拟取消您的报名资格。您可在 ${until} 前登录，在“复审与聘用”中陈述、申辩；逾期未提出的，将依法作出决定。`,
    en: `${exam}: ${reason}. It is proposed to disqualify your sign-up. You may answer until ${until} on the page “Re-review and hire”; it is decided afterwards.`,
  },
})
export const objectionNotice = (exam: string, content: string, until: string): NoticeText => ({
  title: { zh: '公示期间收到对您的异议', en: 'An objection was made to your hire' },
  content: {
    zh: `${exam}：公示期间收到对您的异议：${content.slice(0, 300)}。您可在 ${until} 前登录，在“复审与聘用”中陈述、申辩并提交材料；逾期未提出的，将依法核查认定。`,
    en: `${exam}: an objection was made while the list was public: ${content.slice(0, 300)}. You may answer until ${until} on the page “Re-review and hire” and add files; it is decided afterwards.`,
  },
})
export const objectionAnsweredNotice = (exam: string): NoticeText => ({
  title: { zh: '被异议人已陈述申辩', en: 'The person has answered to the objection' },
  content: {
    zh: `${exam}：一名公示人员已对异议提交陈述、申辩，请在“聘用环节”的异议列表中查看。`,
    en: `${exam}: somebody has answered to an objection. Read it in the list of objections.`,
  },
})
export const objectionEndedNotice = (exam: string, isUpheld: boolean, decision: string): NoticeText => ({
  title: isUpheld
    ? { zh: '公示异议经核查成立', en: 'The objection was found right' }
    : { zh: '公示异议经核查不成立', en: 'The objection was found unfounded' },
  content: { zh: `${exam}：${decision.slice(0, 300)}`, en: `${exam}: ${decision.slice(0, 300)}` },
})
export const disqualifyOfficeNotice = (exam: string, name: string, until: string): NoticeText => ({
  title: { zh: '有取消资格的提议待决定', en: 'A proposal to disqualify a sign-up waits for you' },
  content: {
    zh: `${exam}：${name} 的报名被提议取消资格，本人可在 ${until} 前陈述、申辩；期满或登记其陈述后，请在该报名的详情页中决定。`,
    en: `${exam}: disqualifying the sign-up of ${name} was proposed. The person may answer until ${until}; afterwards, or once the answer is noted, decide on the page of the sign-up.`,
  },
})
export const answeredOfficeNotice = (exam: string): NoticeText => ({
  title: { zh: '被提议取消资格的考生已陈述申辩', en: 'The person has answered to the proposal' },
  content: {
    zh: `${exam}：一名被提议取消资格的考生已提交陈述、申辩，请在该报名的详情页中查看并决定。`,
    en: `${exam}: somebody whose disqualification was proposed has answered. Read it and decide on the page of the sign-up.`,
  },
})
export const disqualifiedNotice = (exam: string, reason: string, decision: string): NoticeText => ({
  title: { zh: '取消报名资格决定', en: 'Your sign-up is disqualified' },
  content: {
    zh: `${exam}：因${reason}，决定取消您的报名资格。理由：${decision}。如不服本决定，可依法申请复核、行政复议或者提起行政诉讼。`,
    en: `${exam}: your sign-up is disqualified (${reason}). Reasons: ${decision}. You may ask for a review, an administrative reconsideration, or go to court.`,
  },
})
export const notDisqualifiedNotice = (exam: string, decision: string): NoticeText => ({
  title: { zh: '不予取消报名资格', en: 'Your sign-up stays as it is' },
  content: {
    zh: `${exam}：经核查，不取消您的报名资格。说明：${decision}`,
    en: `${exam}: the office looked into it and your sign-up stays valid. The office says: ${decision}`,
  },
})
