import { defineTexts } from '../kernel/i18n/index.ts'

export const resourceTexts = defineTexts(
  {
    'list.title': '{label}列表',
    'search.label': '搜索条件',
    'search.from': '{label}起',
    'search.to': '{label}止',
    'search.all': '全部',
    'bulk.none': '请选择至少一条数据',
    'bulk.confirm': '确定将选择数据删除?',
    'dialog.add': '新增{label}',
    'dialog.edit': '编辑{label}',
    'dialog.view': '查看{label}',
    'export.mine': '我的导出',
    'row.createTime': '创建时间',
    'row.updateTime': '更新时间',
  },
  {
    'list.title': '{label} list',
    'search.label': 'Search',
    'search.from': '{label} from',
    'search.to': '{label} to',
    'search.all': 'All',
    'bulk.none': 'Please select at least one row',
    'bulk.confirm': 'Delete the selected data?',
    'dialog.add': 'Add {label}',
    'dialog.edit': 'Edit {label}',
    'dialog.view': 'View {label}',
    'export.mine': 'My exports',
    'row.createTime': 'Created',
    'row.updateTime': 'Updated',
  },
)
