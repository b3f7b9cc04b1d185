import type { Estimate } from './estimator.ts'

export const levels = ['Fraca', 'Razoável', 'Boa', 'Forte'] as const
export type Level = (typeof levels)[number]

const shortest = 8
const recommended = 15

/** Returns the strength and one sentence of advice. The server's rules decide. */
export const strengthOf = (password: string, { score, advice }: Estimate): { level: Level; text: string } => {
  if (password.length < shortest) return { level: 'Fraca', text: `Use ao menos ${shortest} caracteres.` }
  const level = levels[Math.max(0, score - 1)] ?? 'Fraca'
  if (level === 'Forte') return { level, text: 'Difícil de adivinhar.' }
  if (advice) return { level, text: advice }
  return {
    level,
    text:
      password.length < recommended
        ? `Com ${recommended} caracteres ou mais ela fica mais forte: junte palavras que não combinam.`
        : 'Junte mais uma palavra que não combine com as outras.',
  }
}
