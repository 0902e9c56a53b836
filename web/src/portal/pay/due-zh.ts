export const dueZh = {
  'due.notice': '{name} {amount} 元待缴，{deadline} 截止',
  'due.more': '还有 {count} 笔费用待缴，点此查看全部',
  'due.label': '待缴费提醒',
  'due.go': '去缴费',
  'due.close': '关闭这条提醒',
} as const
