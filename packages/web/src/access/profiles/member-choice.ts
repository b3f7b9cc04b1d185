import type { MemberCandidate, MemberPerson } from '@bi-manager/contract'
import { useState } from 'react'

/** The users chosen so far, which the search and the pasted list share. */
export interface MemberChoice {
  chosen: ReadonlyMap<number, MemberCandidate>
  /** Returns why the user cannot be chosen; undefined for others. */
  whyNot: (person: MemberCandidate) => string | undefined
  choose: (people: readonly MemberCandidate[], isChosen: boolean) => void
}

/** @param joining the users who already join with the next save */
export const useMemberChoice = (joining: ReadonlyMap<number, MemberPerson>): MemberChoice => {
  const [chosen, setChosen] = useState<MemberChoice['chosen']>(new Map())
  return {
    chosen,
    whyNot: ({ idUsuario, jaMembro }) =>
      jaMembro ? 'já participa' : joining.has(idUsuario) ? 'entra ao salvar' : undefined,
    choose: (people, isChosen) =>
      setChosen((before) => {
        const next = new Map(before)
        for (const person of people) {
          if (isChosen) next.set(person.idUsuario, person)
          else next.delete(person.idUsuario)
        }
        return next
      }),
  }
}
