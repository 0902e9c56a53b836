export const openZh = {
  'home.open': '正在报名',
  'home.all': '全部考试',
  'home.noOpen': '暂无报名中的考试',
  'home.noOpenHint': '您可以查看往期考试。',
  'home.closesIn': '报名截止',
  'home.opensAt': '{time} 开始报名',
  'home.posts': '{posts} 个岗位，招 {plan} 人',
} as const
