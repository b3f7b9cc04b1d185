export const auditKey = ['auditoria'] as const
