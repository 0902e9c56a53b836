import type { RuledNoun } from '../kernel/field-rule.ts'

/** Tickets as staff read, check and print them. */
export const ticketNoun = {
  code: 'ticket',
  label: { zh: '准考证', en: 'Tickets' },
  views: ['ticket_view', 'ticket_print', 'ticketdown_view', 'accommodation_view'],
  entities: ['ticket'],
  fields: {
    name: { label: { zh: '姓名', en: 'Name' }, mask: 'name' },
    idCard: { label: { zh: '证件号码', en: 'Id number' }, mask: 'idCard' },
    ticketNo: { label: { zh: '准考证号', en: 'Ticket number' }, mask: 'ticketNo' },
    photo: { label: { zh: '照片', en: 'Photo' }, mask: 'none', fact: 'photo' },
    accommodation: { label: { zh: '合理便利申请', en: 'Request for help' }, mask: 'none' },
    health: { label: { zh: '防疫材料', en: 'Health documents' }, mask: 'none' },
  },
} as const satisfies RuledNoun
