export interface Person {
  email: string
  password: string
  name: string
}

/** The demo's accounts, as documented in the README. */
export const people = {
  admin: { email: 'admin@demo.local', password: 'Demo-admin-2026', name: 'Marina Alves' },
  ana: { email: 'ana@demo.local', password: 'Demo-ana-2026', name: 'Ana Martins' },
  helena: { email: 'helena@demo.local', password: 'Demo-helena-2026', name: 'Helena Duarte' },
} satisfies Record<string, Person>
