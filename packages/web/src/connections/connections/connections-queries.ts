export const responsiblesKey = ['responsaveis'] as const
