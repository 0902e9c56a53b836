/** Odd names of the wire and what they mean (domain 1, 14.3). `npm run glossary` prints `docs/glossary.md` from this table. */
export interface WireName {
  /** A name that says it. */
  readonly means: string
  readonly zh: string
  readonly en: string
}

export const wireNames = {
  // Abbreviations of pinyin
  zpjh: { means: 'planNum', zh: '招聘计划数', en: 'recruitment plan (headcount)' },
  bmrs: { means: 'signedUpCount', zh: '报名人数', en: 'number signed up' },
  wshrs: { means: 'unexaminedCount', zh: '未审核人数', en: 'number not yet examined' },
  shtgrs: { means: 'passedCount', zh: '审核通过人数', en: 'number passed' },
  gw: { means: 'post', zh: '岗位', en: 'post' },
  ms: { means: 'interview', zh: '面试', en: 'interview' },
  jkm: { means: 'healthCode', zh: '健康码', en: 'health code' },
  xcm: { means: 'travelCode', zh: '行程码', en: 'travel code' },
  hsjcbg: { means: 'nucleicAcidReport', zh: '核酸检测报告', en: 'nucleic-acid test report' },
  eid: { means: 'examId', zh: '考试', en: 'examination' },

  // Nouns that mean something else than they say
  items: { means: 'fieldLibrary', zh: '报名项库', en: 'library of form fields' },
  files: { means: 'fileKindLibrary', zh: '材料库', en: 'library of file kinds' },
  signitems: { means: 'signItem', zh: '报名项', en: 'form field of an examination' },
  signfiles: { means: 'signFile', zh: '报名材料', en: 'required file of an examination' },
  examitem: { means: 'examItem', zh: '考试科目', en: 'paper' },
  typeCode: { means: 'post', zh: '岗位代码', en: 'post' },
  userCode: { means: 'unitCode', zh: '单位(用户)编码', en: 'unit, site or school code; candidate number' },
  code: { means: 'postCode', zh: '岗位代码', en: 'post code of the first choice' },
  type: { means: 'postCategory', zh: '岗位类别', en: 'post category of the first choice' },
  unit: { means: 'unitCode', zh: '招聘单位', en: 'hiring unit of the first choice' },
  code2: { means: 'secondPostCode', zh: '第二志愿岗位', en: 'post code of the second choice' },
  type2: { means: 'secondPostCategory', zh: '第二志愿类别', en: 'post category of the second choice' },
  unit2: { means: 'secondUnitCode', zh: '第二志愿单位', en: 'hiring unit of the second choice' },
  examine: { means: 'signupState', zh: '审核状态', en: 'state of a sign-up' },
  content: { means: 'answers', zh: '报名信息', en: 'answers of the form' },
  promise: { means: 'undertaking', zh: '诚信承诺书', en: 'integrity undertaking' },
  adjust: { means: 'acceptsAdjustment', zh: '服从调剂', en: 'accepts another post' },
  payrecordmain: { means: 'payBatch', zh: '缴费批次', en: 'payment batch' },
  payrecord: { means: 'payBatchRow', zh: '缴费记录', en: 'row of a payment batch' },
  exportpaymain: { means: 'settlementList', zh: '缴费导出批次', en: 'frozen settlement list' },
  exportpay: { means: 'settlementRow', zh: '缴费导出明细', en: 'row of a settlement list' },
  userappeal: { means: 'appeal', zh: '身份申诉', en: 'appeal about a number' },
  userupdateinfo: { means: 'verifiedDataChange', zh: '信息变更申请', en: 'request to change verified data' },

  // Verbs
  releaseExam: { means: 'releaseExam', zh: '发布考试', en: 'publish an examination' },
  creTicketEnd: { means: 'issueTickets', zh: '完成准考证编排', en: 'generate tickets and finish' },
  delTicketList: { means: 'removeTickets', zh: '清除准考证', en: 'remove all tickets of an item' },
  importMsTicket: { means: 'importInterviewTickets', zh: '导入面试准考证', en: 'import interview tickets' },
  saveTicketDownInfo: { means: 'recordDownload', zh: '记录准考证下载', en: 'record a ticket download' },
  savePicAndDownInfo: { means: 'storePhotoAndDownload', zh: '上传防疫材料并记录下载', en: 'store health images and the download' },
  getZpjhForType: { means: 'planByCategory', zh: '各类别计划数', en: 'plan by category' },
  getBmrsForType: { means: 'signedUpByCategory', zh: '各类别报名人数', en: 'sign-ups by category' },
  getWshrsByType: { means: 'unexaminedByCategory', zh: '各类别未审核人数', en: 'unexamined by category' },
  getShtgrsByType: { means: 'passedByCategory', zh: '各类别通过人数', en: 'passed by category' },
  getNumToLine: { means: 'countsOverTime', zh: '报名趋势', en: 'counts over time' },
  getPayByGW: { means: 'paymentsByPost', zh: '各岗位缴费', en: 'payments by post' },
  handleUp: { means: 'postOfflinePayment', zh: '手工登记(上账)', en: 'manual posting of an offline payment' },
  backPay: { means: 'refund', zh: '退费', en: 'refund' },
  sureInvoice: { means: 'confirmInvoice', zh: '开票登记', en: 'confirm a receipt' },
  sureSendPay: { means: 'confirmRecharge', zh: '确认充值', en: 'confirm a recharge' },
  sureNotify: { means: 'confirmNotice', zh: '确认通知', en: 'confirm a notice' },
  allotCheck: { means: 'allotReviewers', zh: '审核分配', en: 'allot sign-ups to reviewers' },
  reviewInfo: { means: 'reReview', zh: '资格复审', en: 'eligibility re-review' },
  changeIsBack: { means: 'changePullBackRight', zh: '撤回权限开关', en: 'switch the right to pull back a decision' },
  submit: { means: 'addOrUpdate', zh: '新增或修改', en: 'add or update' },
} as const satisfies Record<string, WireName>
