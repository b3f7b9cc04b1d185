import type { MemberPerson } from '@bi-manager/contract'
import { useState } from 'react'
import { useDraft } from '../../ui/entity-form/use-draft.ts'

/** Users that the next save adds or removes, by id. */
export interface MemberMarks {
  joining: ReadonlyMap<number, MemberPerson>
  leaving: ReadonlyMap<number, MemberPerson>
}

const none: MemberMarks = { joining: new Map(), leaving: new Map() }

export const countOf = ({ joining, leaving }: MemberMarks): number => joining.size + leaving.size

/**
 * Returns the marks that are left after a save. A mark that was made during the save stays. A mark that was
 * removed during the save becomes its opposite, because the save has already carried it out.
 */
const marksAfter = (marks: MemberMarks, sent: MemberMarks): MemberMarks => {
  const without = (side: MemberMarks['joining'], other: MemberMarks['joining']) =>
    [...side].filter(([id]) => !other.has(id))
  return {
    joining: new Map([...without(marks.joining, sent.joining), ...without(sent.leaving, marks.leaving)]),
    leaving: new Map([...without(marks.leaving, sent.leaving), ...without(sent.joining, marks.joining)]),
  }
}

/** State of the marked members of a profile. The marks survive the end of the session. */
export const useMemberMarks = () => {
  const draft = useDraft<MemberMarks>('membros')
  const [marks, setMarks] = useState(draft.restored ?? none)
  const [isRestored, setRestored] = useState(draft.restored !== undefined)
  draft.keep(countOf(marks) > 0 ? marks : undefined)
  const change = (side: keyof MemberMarks, { idUsuario }: MemberPerson, marked: MemberPerson | undefined) =>
    setMarks((before) => {
      const members = new Map(before[side])
      members.delete(idUsuario)
      if (marked) members.set(idUsuario, marked)
      return { ...before, [side]: members }
    })
  return {
    marks,
    isRestored,
    join: (member: MemberPerson) => change('joining', member, member),
    joinAll: (members: readonly MemberPerson[]) =>
      setMarks(({ joining, leaving }) => ({
        joining: new Map([...joining, ...members.map((member) => [member.idUsuario, member] as const)]),
        leaving,
      })),
    dontJoin: (member: MemberPerson) => change('joining', member, undefined),
    leave: (member: MemberPerson) => change('leaving', member, member),
    stay: (member: MemberPerson) => change('leaving', member, undefined),
    clear: () => {
      setRestored(false)
      setMarks(none)
    },
    settle: (sent: MemberMarks) => {
      setRestored(false)
      setMarks((before) => marksAfter(before, sent))
    },
  }
}
