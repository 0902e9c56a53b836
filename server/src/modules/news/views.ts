import { richPictureBase } from '#contract/kernel/rich-text.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { NewsLine } from './data/news.repo.ts'
import type { NoticeLine, OwnLine } from './data/notice.repo.ts'
import { summaryOf } from './domain/plain-text.ts'

export const fileLink = (id: string): string => `/api/news/file/${id}`

/** A notice in a list; to nobody known it is unread. */
export const lineOf = (row: NoticeLine & Partial<Pick<OwnLine, 'readAt' | 'sureAt'>>, now: Date) => ({
  id: row.id,
  title: row.title,
  noticeType: row.noticeType,
  scope: row.scope,
  examId: row.examId,
  summary: summaryOf(row.head),
  releaseTime: toWireTime(row.releaseTime),
  endTime: row.endTime && toWireTime(row.endTime),
  isOver: row.endTime !== null && row.endTime <= now,
  isTop: row.isTop,
  popup: row.popup,
  needSure: row.needSure,
  textVersion: row.textVersion,
  read: (row.readAt ?? null) !== null,
  sureTime: row.sureAt ? toWireTime(row.sureAt) : null,
})

export const newsLineOf = (row: NewsLine) => ({
  id: row.id,
  title: row.title,
  summary: row.summary || summaryOf(row.head),
  cover: row.coverId === null ? '' : `${richPictureBase}${row.coverId}`,
  source: row.source ?? '',
  author: row.author ?? '',
  releaseTime: toWireTime(row.releaseTime),
  isTop: row.isTop,
})
