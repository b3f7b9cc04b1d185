import { Problem } from '../problem.ts'

/** A file of 10 MB stands in memory for each, until it is judged and kept. */
const AT_ONCE = 8
/** So that whoever sends what takes long leaves room for everybody else. */
const OF_ONE_PERSON = 2

/**
 * Counts uploads from before the first byte is read until they are answered, for one process.
 * @returns takes one's place; what that returns gives it back, however often it is called
 */
export const createUploadPlaces = () => {
  const people: number[] = []
  /** @throws Problem 429 or 503, with a time to wait */
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
