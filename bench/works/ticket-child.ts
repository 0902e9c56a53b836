// Renders tickets in turns with the floor, on one thread, and sends what each cost. The template is the one the product's rendering threads run.
import { readFileSync } from 'node:fs'
import { render, type TicketSheet } from '../../server/src/modules/ticket/templates/ticket.ts'
import { renderBare } from '../floor/ticket.ts'

const photo = new Uint8Array(readFileSync(new URL('../../server/seed/data/portraits/p01-white.jpg', import.meta.url)))
const qrText = 'https://zhaopin.example.test/t/000000-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
const families = '王李张刘陈杨黄赵吴周'
const givens = '伟芳娜敏静丽强磊军洋䶮㛃'

const sheetOf = (n: number): TicketSheet => ({
  kind: 'written',
  examName: '2026年区卫生健康系统事业单位公开招聘',
  undertaker: '区卫生人才服务中心',
  contactPhone: '0571-88880000',
  name: `${families[n % families.length]}${givens[n % givens.length]}${givens[(n * 7) % givens.length]}`,
  sex: n % 2 === 0 ? '男' : '女',
  idCard: `33019919900101${String(1000 + (n % 9000))}`,
  ticketNo: `2603${String(n).padStart(8, '0')}`,
  unitName: '区第一人民医院（区妇幼保健院、区急救中心）',
  post: '临床医师（A001）',
  signNo: `202603${String(n).padStart(8, '0')}`,
  more: [],
  photo,
  qrText,
  lines: [
    ['综合基础知识', '09:00–10:30'],
    ['专业知识', '14:00–16:00'],
  ].map(([itemName = '', time = '']) => ({
    ...{
      itemName,
      time,
      day: '2026-03-28\n周六',
      report: '08:30',
      siteName: '区第一中学',
      siteAddress: '人民路128号（地铁2号线人民路站B口步行300米）',
    },
    ...{
      room: `第 ${String(n % 300).padStart(3, '0')} 考场\n教学楼三层`,
      seatNo: String((n % 30) + 1).padStart(2, '0'),
      groupNo: '',
      waitRoom: '',
      drawNo: '',
    },
    rules: '本科目为闭卷考试，采用2B铅笔填涂答题卡。\n考试开始30分钟后不得入场，考试结束前30分钟不得交卷。',
  })),
  remark: '',
  shortRules: [
    '考生凭准考证和有效期内的居民身份证原件入场，缺一不可。',
    '开考30分钟后不得入场，交卷后不得返回考场。',
    '手机、智能手表等电子设备须关机并放在指定位置。',
    '考试用品：2B铅笔、橡皮、黑色字迹签字笔。',
    '请提前30分钟到达考点，核对考场和座位号。',
  ],
  noticeTitle: '考生须知',
  notice: Array.from(
    { length: 8 },
    (_, i) =>
      `${i + 1}、考生应当遵守考试纪律，服从考场工作人员的安排。凡有夹带、传递、抄袭、替考等行为的，按照《事业单位公开招聘违纪违规行为处理规定》处理，并记入诚信档案。咨询电话：0571-88880000。`,
  ),
  issuedAt: '2026-03-24 09:00',
  version: 'v1',
  isDraft: false,
})

process.once('message', async ({ rounds, tickets }: { rounds: number; tickets: number }) => {
  let serial = 0
  const cost = async (one: () => Promise<Uint8Array>): Promise<number> => {
    const began = process.cpuUsage()
    for (let i = 0; i < tickets; i += 1) await one()
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1e6 / tickets
  }
  const product = () => {
    serial += 1
    return render({ sheets: [sheetOf(serial)], createdAt: '2026-03-24T01:00:00Z' })
  }
  const floor = () => renderBare(photo, qrText)
  await cost(product)
  await cost(floor)
  const a: number[] = []
  const b: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    a.push(await cost(product))
    b.push(await cost(floor))
  }
  const bytes = await product()
  const pages =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)?.length ?? 0
  process.send?.({ a, b, kilobytes: bytes.length / 1024, pages }, () => process.exit(0))
})
