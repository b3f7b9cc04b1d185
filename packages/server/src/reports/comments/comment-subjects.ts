/** The subject of notifications that a thread of comments mentions a person. */
export const mentionSubject = (idConversa: number) => `mencao:${idConversa}`

/** The subject of notifications of replies in a thread. */
export const replySubject = (idConversa: number) => `resposta:${idConversa}`
