import { flag, int, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** A room of a site, as papers take it; which site it belongs to says the first half of its code. */
export const siteRoom = defineResource({
  name: 'site-room',
  basePath: '/blade-siteRoom/siteroom',
  menuPath: '/exam/siteRoom',
  label: { zh: '考点考场', en: 'Room of a site' },
  menu: { under: 'exam', after: 'examsite', label: { zh: '考点考场', en: 'Rooms of sites' }, roles: ['exam_admin'], readers: ['admin'] },
  order: 'roomCode',
  workbook: { key: 'roomCode' },
  fields: {
    roomCode: text(6, {
      label: { zh: '考场代码', en: 'Code' },
      required: true,
      unique: true,
      search: 'like',
      pattern: '^(0[1-9]|[1-8][0-9])-([0-9]{2}[1-9]|[0-9][1-9]0|[1-9]00)$',
      help: { zh: '考点代码-考场号，如 01-003', en: 'Code of the site and number of the room, as in 01-003' },
    }),
    roomName: text(60, { label: { zh: '考场名称', en: 'Room' }, search: 'like' }),
    floor: int({ label: { zh: '楼层', en: 'Floor' }, min: -5, max: 99, default: 1 }),
    rows: int({ label: { zh: '排', en: 'Rows' }, required: true, min: 1, max: 30, default: 6 }),
    cols: int({ label: { zh: '列', en: 'Columns' }, required: true, min: 1, max: 30, default: 5 }),
    layout: text(1, {
      label: { zh: '编号顺序', en: 'Numbering' },
      default: 'S',
      words: { S: { zh: '按列，S 形', en: 'By columns, up and down' }, Z: { zh: '按排', en: 'Row by row' } },
    }),
    spare: int({ label: { zh: '机动座位', en: 'Spare seats' }, min: 0, max: 99, default: 0 }),
    accessible: flag({ label: { zh: '无障碍考场', en: 'Accessible' }, default: 0 }),
  },
})
