import type { Clause } from './clause.ts'

/** Level 3 of GB/T 22239-2019, the clauses an application and its data answer for (8.1.4 and 8.1.5). */
const protection: readonly Clause[] = (
  [
    {
      number: '8.1.4.1 a)',
      title: { zh: '身份标识与鉴别', en: 'Identification and authentication' },
      asks: {
        zh: '登录用户身份唯一；鉴别信息有复杂度要求并定期更换',
        en: 'Every user is identified uniquely; credentials are complex and are changed from time to time',
      },
      probes: ['unique-accounts', 'password-rules', 'password-storage'],
      gap: {
        zh: '产品不强制按日期更换口令：泄露、重置和一次性口令必须更换；如测评要求固定周期，由制度规定并由管理员重置',
        en: 'Passwords are not made to expire by date: leaked, reset and one-time passwords must be changed. A fixed period is a matter of the organisation’s rules',
      },
    },
    {
      number: '8.1.4.1 b)',
      title: { zh: '登录失败处理', en: 'Failed log-ins' },
      asks: {
        zh: '登录失败处理功能：结束会话、限制非法登录次数、超时自动退出',
        en: 'Failed log-ins are limited, sessions end, and idle ones are logged out',
      },
      probes: ['login-lock', 'session-life'],
    },
    {
      number: '8.1.4.1 c)',
      title: { zh: '鉴别信息传输保护', en: 'Credentials on their way' },
      asks: { zh: '远程管理时防止鉴别信息被窃听', en: 'Credentials cannot be overheard during remote administration' },
      probes: ['password-on-its-way', 'transport'],
    },
    {
      number: '8.1.4.1 d)',
      title: { zh: '双因素鉴别', en: 'Two techniques of authentication' },
      asks: {
        zh: '采用两种或两种以上组合的鉴别技术，其中一种使用密码技术',
        en: 'Two or more techniques together, one of them cryptographic',
      },
      probes: ['second-factor'],
    },
    {
      number: '8.1.4.2 a)',
      title: { zh: '账户与权限分配', en: 'Accounts and rights' },
      asks: { zh: '对登录用户分配账户和权限', en: 'Users have accounts and rights of their own' },
      probes: ['rights-of-roles', 'closed-by-default'],
    },
    {
      number: '8.1.4.2 b)',
      title: { zh: '默认账户', en: 'Default accounts' },
      asks: { zh: '重命名或删除默认账户，修改默认口令', en: 'Default accounts are removed or renamed, default passwords changed' },
      probes: ['default-accounts'],
    },
    {
      number: '8.1.4.2 c)',
      title: { zh: '多余和过期账户', en: 'Superfluous and expired accounts' },
      asks: { zh: '及时停用多余、过期账户，避免共享账户', en: 'Superfluous and expired accounts are shut, none is shared' },
      probes: ['idle-accounts'],
    },
    {
      number: '8.1.4.2 d)',
      title: { zh: '最小权限与权限分离', en: 'Least privilege and separation' },
      asks: {
        zh: '授予管理用户所需的最小权限，管理权限分离',
        en: 'Administrators have the least rights they need, and administration is divided among them',
      },
      probes: ['duties-apart', 'database-roles'],
    },
    {
      number: '8.1.4.2 e)',
      title: { zh: '授权主体配置策略', en: 'Policy set by who is authorised' },
      asks: { zh: '由授权主体配置访问控制策略', en: 'The policy of access is set by who is authorised to' },
      probes: ['grants-in-the-trail'],
    },
    {
      number: '8.1.4.2 f)',
      title: { zh: '访问控制粒度', en: 'Granularity of access control' },
      asks: {
        zh: '主体为用户级或进程级，客体为文件、数据库表、记录或字段级',
        en: 'Subjects are users or processes; objects are files, tables, records or fields',
      },
      probes: ['row-security', 'field-rules'],
    },
    {
      number: '8.1.4.2 g)',
      title: { zh: '安全标记', en: 'Security marks' },
      asks: {
        zh: '对重要主体和客体设置安全标记，并据此控制访问',
        en: 'Important subjects and objects carry security marks by which access is controlled',
      },
      probes: [],
      gap: {
        zh: '产品按角色、部门、单位和字段规则控制访问，不提供强制访问控制意义上的安全标记；如定级要求，需由操作系统或数据库安全标记补充',
        en: 'Access goes by role, department, unit and rules of fields. There are no marks of mandatory access control; where they are demanded the operating system or database has to add them',
      },
    },
    {
      number: '8.1.4.3 a)',
      title: { zh: '审计覆盖', en: 'What is audited' },
      asks: { zh: '审计覆盖每个用户的重要行为和安全事件', en: 'The audit covers important acts and security events of every user' },
      probes: ['audit-coverage'],
    },
    {
      number: '8.1.4.3 b)',
      title: { zh: '审计记录内容', en: 'Content of audit records' },
      asks: { zh: '记录日期时间、用户、事件类型、是否成功等', en: 'Records have date, time, user, kind of event and outcome' },
      probes: ['audit-line', 'clock'],
    },
    {
      number: '8.1.4.3 c)',
      title: { zh: '审计记录保护', en: 'Protection of audit records' },
      asks: {
        zh: '保护审计记录、定期备份，避免删除、修改或覆盖',
        en: 'Records are protected and backed up, and cannot be removed, changed or overwritten',
      },
      probes: ['audit-unchangeable', 'audit-chain', 'log-retention', 'backup'],
    },
    {
      number: '8.1.4.3 d)',
      title: { zh: '审计进程保护', en: 'Protection of the audit process' },
      asks: { zh: '审计进程不受未经授权的中断', en: 'The audit cannot be interrupted by who is not authorised' },
      probes: ['audit-in-the-transaction'],
    },
    {
      number: '8.1.4.4 a)',
      title: { zh: '最小安装', en: 'Least installation' },
      asks: { zh: '仅安装需要的组件和应用程序', en: 'Only what is needed is installed' },
      probes: ['production-profile', 'components'],
    },
    {
      number: '8.1.4.4 b)',
      title: { zh: '服务与端口', en: 'Services and ports' },
      asks: { zh: '关闭不需要的服务、默认共享和高危端口', en: 'Unneeded services and ports are shut' },
      probes: ['ports', 'outgoing'],
    },
    {
      number: '8.1.4.4 c)',
      title: { zh: '管理终端限制', en: 'Terminals of administrators' },
      asks: {
        zh: '限定管理终端的接入方式或网络地址范围',
        en: 'The ways or addresses from which administration is reached are limited',
      },
      probes: [],
      gap: {
        zh: '由反向代理或防火墙限定管理终端地址；产品在登录日志和审计中记录来源地址',
        en: 'Limited by the proxy or firewall in front; the product records the addresses of log-ins and changes',
      },
    },
    {
      number: '8.1.4.4 d)',
      title: { zh: '数据有效性检验', en: 'Validation of input' },
      asks: { zh: '对人机接口或通信接口输入的内容进行有效性检验', en: 'What comes in by screens and interfaces is validated' },
      probes: ['strict-input', 'page-policy'],
    },
    {
      number: '8.1.4.4 e)',
      title: { zh: '漏洞管理', en: 'Known vulnerabilities' },
      asks: { zh: '发现已知漏洞并及时修补', en: 'Known vulnerabilities are found and mended in time' },
      probes: ['components'],
      gap: {
        zh: '组件清单可用于比对漏洞库；比对和修补由运维单位执行',
        en: 'The list of components is there to be compared with databases of vulnerabilities; the comparison is the operator’s work',
      },
    },
    {
      number: '8.1.4.4 f)',
      title: { zh: '入侵检测与报警', en: 'Detection of intrusion' },
      asks: { zh: '检测对重要节点的入侵行为并报警', en: 'Intrusion is detected and alarms are raised' },
      probes: ['watch-rules'],
    },
    {
      number: '8.1.4.5',
      title: { zh: '恶意代码防范', en: 'Malicious code' },
      asks: { zh: '及时识别并阻断入侵和病毒行为', en: 'Viruses and intrusion are recognised and stopped' },
      probes: ['upload-checks'],
      gap: { zh: '主机防病毒由部署单位安装', en: 'Protection of the host against viruses is installed by the organisation' },
    },
    {
      number: '8.1.4.6',
      title: { zh: '可信验证', en: 'Trusted verification' },
      asks: {
        zh: '对应用程序等进行可信验证，检测到破坏后报警',
        en: 'Programs are verified; damage is detected and reported',
      },
      probes: ['structure-check'],
      gap: { zh: '硬件可信根由主机提供', en: 'A root of trust in hardware is a matter of the host' },
    },
    {
      number: '8.1.4.7 a)',
      title: { zh: '传输完整性', en: 'Integrity on the way' },
      asks: {
        zh: '采用校验或密码技术保证重要数据传输完整性',
        en: 'Important data keeps its integrity on its way by checks or cryptography',
      },
      probes: ['transport'],
    },
    {
      number: '8.1.4.7 b)',
      title: { zh: '存储完整性', en: 'Integrity at rest' },
      asks: { zh: '采用校验或密码技术保证重要数据存储完整性', en: 'Stored data keeps its integrity by checks or cryptography' },
      probes: ['sealed-integrity', 'audit-chain'],
    },
    {
      number: '8.1.4.8 a)',
      title: { zh: '传输保密性', en: 'Confidentiality on the way' },
      asks: { zh: '采用密码技术保证重要数据传输保密性', en: 'Cryptography keeps important data confidential on its way' },
      probes: ['transport', 'password-on-its-way'],
    },
    {
      number: '8.1.4.8 b)',
      title: { zh: '存储保密性', en: 'Confidentiality at rest' },
      asks: { zh: '采用密码技术保证重要数据存储保密性', en: 'Cryptography keeps stored data confidential' },
      probes: ['sealed-fields', 'sealed-files', 'password-storage'],
    },
    {
      number: '8.1.4.9 a)',
      title: { zh: '本地备份与恢复', en: 'Backup and restoring' },
      asks: { zh: '重要数据本地备份与恢复', en: 'Important data is backed up and can be restored' },
      probes: ['backup'],
    },
    {
      number: '8.1.4.9 b)',
      title: { zh: '异地实时备份', en: 'Backup elsewhere' },
      asks: { zh: '异地实时备份重要数据', en: 'Important data is backed up at another place in real time' },
      probes: ['replication'],
    },
    {
      number: '8.1.4.9 c)',
      title: { zh: '热冗余', en: 'Hot redundancy' },
      asks: { zh: '重要数据处理系统热冗余', en: 'Important systems have hot redundancy' },
      probes: ['replication', 'instances'],
    },
    {
      number: '8.1.4.10 a)',
      title: { zh: '鉴别信息清除', en: 'Credentials are cleared' },
      asks: {
        zh: '鉴别信息所在存储空间释放前完全清除',
        en: 'Storage of credentials is cleared before it is used for something else',
      },
      probes: ['spent-credentials'],
    },
    {
      number: '8.1.4.10 b)',
      title: { zh: '敏感数据清除', en: 'Sensitive data is cleared' },
      asks: { zh: '敏感数据所在存储空间释放前完全清除', en: 'Storage of sensitive data is cleared before it is used for something else' },
      probes: ['erasures'],
    },
    {
      number: '8.1.4.11 a)',
      title: { zh: '个人信息最小采集', en: 'Only necessary personal data' },
      asks: { zh: '仅采集和保存业务必需的用户个人信息', en: 'Only the personal data that the business needs is collected' },
      probes: ['asked-fields', 'consent'],
    },
    {
      number: '8.1.4.11 b)',
      title: { zh: '个人信息访问控制', en: 'Access to personal data' },
      asks: { zh: '禁止未授权访问和非法使用用户个人信息', en: 'Personal data is not read or used without authorisation' },
      probes: ['field-rules', 'reveals'],
    },
    {
      number: '8.1.5.1 a)',
      title: { zh: '系统管理员鉴别与审计', en: 'System administrators' },
      asks: {
        zh: '对系统管理员身份鉴别，只允许通过特定方式操作，并审计',
        en: 'System administrators are authenticated, work by given ways only, and are audited',
      },
      probes: ['administrators-in-the-trail', 'second-factor'],
    },
    {
      number: '8.1.5.1 b)',
      title: { zh: '系统管理内容', en: 'System administration' },
      asks: {
        zh: '由系统管理员对系统资源和运行进行配置、控制和管理',
        en: 'Resources and the running system are set up and controlled by system administrators',
      },
      probes: ['rights-of-roles'],
    },
    {
      number: '8.1.5.2 a)',
      title: { zh: '审计管理员', en: 'Auditors' },
      asks: {
        zh: '对审计管理员身份鉴别，只允许通过特定方式审计，并审计其操作',
        en: 'Auditors are authenticated, audit by given ways only, and are audited',
      },
      probes: ['administrators-in-the-trail', 'duties-apart'],
    },
    {
      number: '8.1.5.2 b)',
      title: { zh: '审计记录分析', en: 'Analysis of audit records' },
      asks: {
        zh: '由审计管理员分析审计记录并处理，包括存储、管理和查询',
        en: 'Auditors analyse audit records, and store, manage and search them',
      },
      probes: ['audit-chain', 'log-retention'],
    },
    {
      number: '8.1.5.3 a)',
      title: { zh: '安全管理员', en: 'Security administrators' },
      asks: {
        zh: '对安全管理员身份鉴别，只允许通过特定方式操作，并审计',
        en: 'Security administrators are authenticated, work by given ways only, and are audited',
      },
      probes: ['administrators-in-the-trail', 'duties-apart'],
    },
    {
      number: '8.1.5.3 b)',
      title: { zh: '安全策略配置', en: 'Security policy' },
      asks: {
        zh: '由安全管理员配置安全策略、授权和安全参数',
        en: 'Policy, authorisation and parameters of security are set by security administrators',
      },
      probes: ['grants-in-the-trail'],
    },
    {
      number: '8.1.5.4 d)',
      title: { zh: '审计数据汇总', en: 'Audit data in one place' },
      asks: {
        zh: '审计数据收集汇总和集中分析，留存时间符合法律法规（不少于六个月）',
        en: 'Audit data is collected and analysed in one place and kept for six months or more',
      },
      probes: ['log-retention'],
    },
    {
      number: '8.1.5.4 f)',
      title: { zh: '安全事件识别、报警和分析', en: 'Security events' },
      asks: { zh: '对安全事件进行识别、报警和分析', en: 'Security events are recognised, reported and analysed' },
      probes: ['watch-rules'],
    },
  ] as const satisfies readonly Omit<Clause, 'standard'>[]
).map(clause => ({ standard: 'protection', ...clause }))

/** Level 3 of GB/T 39786-2021, application and data. */
const cryptography: readonly Clause[] = (
  [
    {
      number: '8.4 a)',
      title: { zh: '身份鉴别', en: 'Authentication' },
      asks: { zh: '采用密码技术对登录用户进行身份鉴别', en: 'Users are authenticated by cryptography' },
      probes: ['second-factor', 'password-on-its-way', 'crypto-self-test'],
      gap: {
        zh: '动态口令按 RFC 6238；使用经认证的智能密码钥匙时需由身份提供方接入',
        en: 'One-time codes follow RFC 6238; certified hardware keys come by a log-in provider',
      },
    },
    {
      number: '8.4 b)',
      title: { zh: '访问控制信息完整性', en: 'Integrity of access control' },
      asks: { zh: '采用密码技术保证访问控制信息完整性', en: 'Cryptography keeps the integrity of access control information' },
      probes: ['grants-in-the-trail'],
      gap: {
        zh: '授权的每次变更进入签名的审计链，可以比对；授权表本身没有逐行校验码',
        en: 'Every change of a grant is in the signed audit chain and can be compared; the tables of grants have no check value of their own',
      },
    },
    {
      number: '8.4 c)',
      title: { zh: '安全标记完整性', en: 'Integrity of security marks' },
      asks: { zh: '采用密码技术保证重要信息资源安全标记完整性', en: 'Cryptography keeps the integrity of security marks' },
      probes: [],
      gap: { zh: '产品不使用安全标记', en: 'The product has no security marks' },
    },
    {
      number: '8.4 d)',
      title: { zh: '数据传输机密性', en: 'Confidentiality on the way' },
      asks: { zh: '采用密码技术保证重要数据传输机密性', en: 'Cryptography keeps important data confidential on its way' },
      probes: ['transport', 'password-on-its-way'],
    },
    {
      number: '8.4 e)',
      title: { zh: '数据存储机密性', en: 'Confidentiality at rest' },
      asks: { zh: '采用密码技术保证重要数据存储机密性', en: 'Cryptography keeps stored data confidential' },
      probes: ['sealed-fields', 'sealed-files', 'crypto-self-test'],
    },
    {
      number: '8.4 f)',
      title: { zh: '数据传输完整性', en: 'Integrity on the way' },
      asks: { zh: '采用密码技术保证重要数据传输完整性', en: 'Cryptography keeps the integrity of important data on its way' },
      probes: ['transport'],
    },
    {
      number: '8.4 g)',
      title: { zh: '数据存储完整性', en: 'Integrity at rest' },
      asks: { zh: '采用密码技术保证重要数据存储完整性', en: 'Cryptography keeps the integrity of stored data' },
      probes: ['sealed-integrity', 'audit-chain'],
    },
    {
      number: '8.4 h)',
      title: { zh: '不可否认性', en: 'Non-repudiation' },
      asks: {
        zh: '在可能涉及法律责任认定的应用中，保证数据原发和接收行为的不可否认性',
        en: 'Where liability may have to be settled, sending and receiving cannot be denied',
      },
      probes: ['published-scores', 'audit-chain'],
      gap: {
        zh: '成绩和抽签结果有公开的摘要可供任何人核验；审计链使用对称密钥签名，不是第三方电子签名',
        en: 'Scores and draws have published digests that anybody can check; the audit chain is signed with a symmetric key and is no electronic signature by a third party',
      },
    },
    {
      number: '8.7 / 附录B',
      title: { zh: '密钥管理', en: 'Management of keys' },
      asks: { zh: '密钥的产生、存储、使用、更新、归档和销毁受控', en: 'Keys are made, stored, used, renewed and destroyed under control' },
      probes: ['key-custody', 'crypto-self-test'],
      gap: {
        zh: '密钥在权限为 0600 的文件中，由软件实现；三级应使用经认证的密码模块，需由部署单位提供并声明',
        en: 'Keys lie in a file of mode 0600 and are used by software; level 3 expects a certified cryptographic module, which the organisation has to supply and declare',
      },
    },
  ] as const satisfies readonly Omit<Clause, 'standard'>[]
).map(clause => ({ standard: 'cryptography', ...clause }))

/** Every clause that the evidence goes through, in the order of the standards. */
export const clauses: readonly Clause[] = [...protection, ...cryptography]
