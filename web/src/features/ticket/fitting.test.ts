import { expect, it } from 'vitest'
import { fittingFor, seatSharersOf, withCompanions } from './fitting.ts'
import { ticketTexts } from './texts.ts'

const paper = (name: string, ticketState: number, itemType = 1) => ({ name, ticketState, itemType })
const fresh = paper('fresh', 0)
const interview = paper('interview', 0, 2)
const made = paper('made', 1)
const released = paper('released', 2)

it('[S7.39] seats written papers without tickets and releases what was made, whatever else was chosen', () => {
  const all = [fresh, interview, made, released]
  expect([fittingFor('trial', all), fittingFor('release', all)]).toEqual([{ papers: [fresh] }, { papers: [made] }])
})

it('[26.11] says why a step is not there', () => {
  const whys = [
    fittingFor('trial', []),
    fittingFor('trial', [interview, made]),
    fittingFor('release', [fresh, released]),
    fittingFor('release', [released, paper('over', 3)]),
  ]
  expect(whys.map(answer => ('why' in answer ? [ticketTexts.zh[answer.why], ticketTexts.en[answer.why]] : answer))).toEqual([
    ['没有科目', 'There are no papers'],
    ['笔试科目都已编排', 'All written papers have their seats'],
    ['没有已编排、待发布的科目，先试算编排', 'No paper has seats that wait for release: make a trial run first'],
    ['准考证都已发布', 'All tickets have been released'],
  ])
})

it('[S7.39] names the papers that go along because they share their seats', () => {
  const of = (itemId: string, seatGroup: string | null, itemType = 1) => ({ itemId, seatGroup, itemType })
  const all = [of('a', null), of('b', 'B'), of('c', 'B', 3), of('d', 'B', 2), of('e', null)]
  const names = (chosen: readonly string[]) =>
    withCompanions(
      all,
      all.filter(paper => chosen.includes(paper.itemId)),
    ).map(paper => paper.itemId)
  expect([names(['a']), names(['a', 'c']), names(['d']), names([])]).toEqual([['a'], ['a', 'b', 'c'], ['d'], []])
})

it('[S7.39] asks the papers that share the seats of one for their rooms, the first to be written first', () => {
  const of = (itemId: string, seatGroup: string | null, startTime: string, itemType = 1) => ({ itemId, seatGroup, startTime, itemType })
  const all = [
    of('late', 'B', '2026-03-28 16:00:00'),
    of('own', 'B', '2026-03-28 14:00:00'),
    of('first', 'B', '2026-03-28 09:00:00'),
    of('interview', 'B', '2026-03-27 09:00:00', 2),
    of('alone', null, '2026-03-28 09:00:00'),
  ]
  const names = (itemId: string) => seatSharersOf(all, itemId).map(paper => paper.itemId)
  expect([names('own'), names('alone'), names('gone')]).toEqual([['first', 'late'], [], []])
})
