import type { ProfileMember } from '@bi-manager/contract'
import { useState } from 'react'

/** Who joins and who leaves at the next save. */
export interface MemberMarks {
  joining: ReadonlyMap<number, ProfileMember>
  leaving: ReadonlyMap<number, ProfileMember>
}

const none: MemberMarks = { joining: new Map(), leaving: new Map() }

export const countOf = ({ joining, leaving }: MemberMarks): number => joining.size + leaving.size

export const useMemberMarks = () => {
  const [marks, setMarks] = useState(none)
  const toggle = (side: keyof MemberMarks, member: ProfileMember) =>
    setMarks((before) => ({ ...before, [side]: toggled(before[side], member) }))
  return {
    marks,
    toggleJoining: (member: ProfileMember) => toggle('joining', member),
    toggleLeaving: (member: ProfileMember) => toggle('leaving', member),
    clear: () => setMarks(none),
  }
}

const toggled = (members: ReadonlyMap<number, ProfileMember>, member: ProfileMember) => {
  const next = new Map(members)
  if (!next.delete(member.idUsuario)) next.set(member.idUsuario, member)
  return next
}
