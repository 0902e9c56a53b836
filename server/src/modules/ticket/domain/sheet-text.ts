const WEEKDAYS = ['日', '一', '二', '三', '四', '五', '六']

/** `2026-04-18` with the day of the week below it. */
export const dayText = (day: string): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return `${day}\n周${WEEKDAYS[new Date(Date.UTC(year, month - 1, date)).getUTCDay()]}`
}

interface RulePaper {
  readonly itemName: string
  readonly lateMinutes: number
  readonly tools: string
}

/** The short rules of page 1 (domain 7.2): what to bring, when the door closes, what is allowed on the table. */
export const shortRules = (papers: readonly RulePaper[]): string[] => {
  const late = [...new Set(papers.map(paper => paper.lateMinutes))]
  const door = (minutes: number): string => (minutes === 0 ? '开考后不得入场' : `开考 ${minutes} 分钟后不得入场`)
  const doors = late.length <= 1 ? door(late[0] ?? 0) : papers.map(paper => `${paper.itemName}${door(paper.lateMinutes)}`).join('，')
  const tools = [...new Set(papers.map(paper => paper.tools).filter(text => text !== ''))]
  return [
    '携带本准考证和有效期内的居民身份证原件入场，缺一不可；证件号码须与本证一致。',
    `${doors}；开考 30 分钟内不得交卷离场。`,
    `可携带：${tools.length > 0 ? tools.join('；') : '黑色签字笔、2B 铅笔、橡皮'}；其他物品请放在考场指定位置。`,
    '手机、智能手表、耳机等电子设备须关机并装袋封存，带至座位的按违纪处理。',
    '按本证所示考场、座位号就座，将准考证和身份证放在桌面左上角备查。',
    '服从监考人员管理；替考、抄袭、传递答案的，取消考试资格并记入诚信档案。',
    '报名信息弄虚作假的，一经查实，本证作废，考试和聘用资格一并取消。',
  ]
}

/** Page 2 while nobody has written a notice for the examination. */
export const defaultNotice = (contactPhone: string): string[] => [
  '一、考生凭准考证和有效期内的居民身份证（原件）参加考试，证件不全或与本人不符的，不得入场。',
  '二、请至少提前一天熟悉考点位置和交通路线，考试当天预留充足时间，在报到截止时间前到达考点并接受身份核验。',
  '三、入场后对号入座，将证件放在桌面左上角。未经监考人员允许，不得擅自离开座位、互借文具或交谈。',
  '四、手机、智能手表、蓝牙耳机等具有通讯、存储、拍摄功能的电子设备一律关机封存，不得带至座位。',
  '五、试题本和答题卡发放后，先核对科目、页数，再按要求填写姓名、准考证号；不得在规定位置以外作任何标记。',
  '六、开考信号发出后方可答题；终了信号发出后立即停止答题，待监考人员清点无误后离场，不得将试题本、答题卡、草稿纸带出考场。',
  '七、违反考试纪律的，按照《事业单位公开招聘违纪违规行为处理规定》处理。',
  `八、准考证请妥善保存至招聘结束，面试、体检等后续环节仍需使用。${contactPhone === '' ? '' : `咨询电话：${contactPhone}。`}`,
]
