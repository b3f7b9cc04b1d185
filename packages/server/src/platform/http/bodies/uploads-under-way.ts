import { Problem } from '../../lib/problem.ts'

/** Each upload holds up to 10 MB in memory until the file is checked and stored. */
const AT_ONCE = 8
/** Slow uploads of one user leave slots for the others. */
const OF_ONE_PERSON = 2

/**
 * Counts the uploads in progress of one process, from before the first byte until the answer.
 * @returns takes a slot and returns the function that frees it; a second call has no effect
 */
export const createUploadLimiter = () => {
  const people: number[] = []
  /** @throws Problem 429 or 503, with retryAfter */
  return (idUsuario: number): (() => void) => {
    if (people.filter((id) => id === idUsuario).length >= OF_ONE_PERSON) {
      throw new Problem('muitas_tentativas', {
        detail: 'Você já tem 2 envios em andamento. Aguarde o fim de um deles e envie de novo.',
        retryAfter: 10,
      })
    }
    if (people.length >= AT_ONCE) {
      throw new Problem('servico_indisponivel', {
        detail: 'Há muitos envios em andamento. Tente novamente em instantes.',
        retryAfter: 10,
      })
    }
    people.push(idUsuario)
    let isGivenBack = false
    return () => {
      if (isGivenBack) return
      isGivenBack = true
      people.splice(people.indexOf(idUsuario), 1)
    }
  }
}
