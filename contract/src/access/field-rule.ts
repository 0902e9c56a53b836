import { type MaskKind, masks } from '../kernel/mask.ts'

/** A value as an example of each mask; nobody's. */
const samples: Readonly<Record<Exclude<MaskKind, 'none'>, string>> = {
  name: '欧阳明',
  idCard: '440101199001011234',
  phone: '13800001234',
  email: 'zhangsan@example.com',
  address: '浙江省杭州市西湖区文三路 1 号',
  bank: '6222021234567891234',
  ticketNo: '260101000123',
  text: '示例内容',
}

/** How a value of this mask looks in full and through it; null where there is no half of a value. */
export const exampleOf = (mask: MaskKind): { readonly full: string; readonly masked: string } | null =>
  mask === 'none' ? null : { full: samples[mask], masked: masks[mask](samples[mask]) }
