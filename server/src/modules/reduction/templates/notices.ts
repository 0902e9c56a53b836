import { label } from '#contract/kernel/label.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { movesPeople } from '#contract/reduction/reduction.state.ts'
import type { Notice } from '#modules/message/index.ts'
import type { ReductionRow } from '../data/reduction.repo.ts'
import type { Concern } from '../domain/concerned.ts'

type Text = Pick<Notice, 'title' | 'content' | 'words'>

/** How choosing another post ended, as the text message and a tenant's own words say it. */
export const transferResults = { passed: label('成功', 'passed'), refused: label('未通过', 'refused') } as const

/** What people of a post are told about it (domain 13.5). */
export const reductionText = (exam: string, post: string, cut: ReductionRow): Text => {
  if (!movesPeople(cut.action))
    return {
      words: { scene: 'post-reduced', params: { exam, post, count: String(cut.afterNum) } },
      title: { zh: '所报岗位计划调整', en: 'Your post has fewer places' },
      content: {
        zh: `${exam}：岗位 ${post} 未达到开考比例，招聘人数由 ${cut.beforeNum} 人调整为 ${cut.afterNum} 人。您的报名不受影响，无需操作，请确认已知晓。`,
        en: `${exam}: too few have signed up for ${post}; its places go from ${cut.beforeNum} to ${cut.afterNum}. Your sign-up stays as it is; please confirm that you have read this.`,
      },
    }
  const [begin, end] = [cut.choiceBegin ? toWireTime(cut.choiceBegin).slice(0, 16) : '', cut.choiceEnd ? toEndMinute(cut.choiceEnd) : '']
  return {
    words: { scene: 'post-cancelled', params: { exam, post, deadline: end } },
    title: { zh: '所报岗位已取消，请改报或退费', en: 'Your post is cancelled: choose another one or your money back' },
    content: {
      zh: `${exam}：岗位 ${post} 未达到开考比例，已取消。请于 ${begin} 至 ${end} 选择改报其他岗位或者退费；逾期未选，服从调剂且符合第二志愿条件的改报第二志愿，其余退费。`,
      en: `${exam}: too few have signed up for ${post}, so it is cancelled. Choose another post or your money back between ${begin} and ${end}. Without a choice you go to your second choice if you accept other posts and meet its conditions; everybody else gets the money back.`,
    },
  }
}

/** What people of a cancelled post are told who have nothing to choose now. */
export const concernText = (exam: string, post: string, concern: Exclude<Concern, 'chooses'>): Text => {
  const [zh, en] = {
    review: [
      '您的报名仍在审核，无需为此岗位缴费；审核通过后请按通知改报其他岗位或退费。',
      'Your sign-up is still under review and nothing is to be paid for this post; once it has passed you are asked to choose another post or your money back.',
    ],
    draft: ['您的报名尚未提交，请改选其他岗位。', 'Your sign-up has not been sent in yet: please choose another post.'],
    refused: ['您的报名未通过审核，不再进行后续环节。', 'Your sign-up was refused; nothing more follows for this post.'],
    lapsed: ['您未保留该岗位的名额，无需操作。', 'You had given up the place already; there is nothing to do.'],
  }[concern] as [string, string]
  return {
    title: { zh: '所报岗位已取消', en: 'Your post is cancelled' },
    content: { zh: `${exam}：岗位 ${post} 已取消。${zh}`, en: `${exam}: ${post} is cancelled. ${en}` },
  }
}

export const transferTexts = {
  chosen: (exam: string, post: string): Text => ({
    title: { zh: '改报已提交', en: 'Your new post is sent in' },
    content: {
      zh: `${exam}：您改报 ${post}，正在优先审核，请留意结果。`,
      en: `${exam}: you chose ${post}. It is reviewed before others; watch for the result.`,
    },
  }),
  passed: (exam: string, post: string, extraFen: number): Text => ({
    words: { scene: 'transfer-result', params: { exam, post, result: transferResults.passed } },
    title: { zh: '改报成功', en: 'You have the new post' },
    content: {
      zh: `${exam}：改报 ${post} 审核通过，${extraFen > 0 ? `还需补缴 ${formatFen(extraFen)} 元，请在“我的缴费”缴纳。` : '已缴费用继续有效。'}`,
      en: `${exam}: you have passed for ${post}. ${extraFen > 0 ? `It costs ${formatFen(extraFen)} yuan more: see “My payments”.` : 'What you paid counts for it.'}`,
    },
  }),
  refused: (exam: string, post: string, remark: string, until: string): Text => ({
    words: { scene: 'transfer-result', params: { exam, post, result: transferResults.refused } },
    title: { zh: '改报未通过，请重新选择', en: 'The new post was refused: choose again' },
    content: {
      zh: `${exam}：改报 ${post} 未通过审核：${remark}。请于 ${until} 前改报其他岗位或者退费。`.slice(0, 500),
      en: `${exam}: you were refused for ${post}: ${remark}. Choose another post or your money back until ${until}.`.slice(0, 800),
    },
  }),
  left: (exam: string, post: string, refundFen: number, why: 'chosen' | 'late' | 'refused'): Text => {
    const [zh, en] = {
      chosen: ['您选择了退出', 'You chose to leave'],
      late: ['选择时间已过，您没有选择', 'You did not choose in time'],
      refused: ['改报未通过审核，选择时间已过', 'The new post was refused, and the time to choose is over'],
    }[why]
    return {
      title: { zh: '已退出本次考试', en: 'You have left the examination' },
      content: {
        zh: `${exam}：岗位 ${post} 已取消。${zh}，本次报名结束${refundFen > 0 ? `，${formatFen(refundFen)} 元将退回` : ''}。`,
        en: `${exam}: ${post} is cancelled. ${en}; the sign-up is over${refundFen > 0 ? `, and ${formatFen(refundFen)} yuan go back` : ''}.`,
      },
    }
  },
  moved: (exam: string, post: string): Text => ({
    title: { zh: '已按第二志愿改报', en: 'You go to your second choice' },
    content: {
      zh: `${exam}：选择时间已过，您服从调剂且符合第二志愿条件，已改报 ${post}，正在审核。`,
      en: `${exam}: the time to choose is over. You accept other posts and meet the conditions of ${post}, so it is reviewed for you.`,
    },
  }),
} as const
