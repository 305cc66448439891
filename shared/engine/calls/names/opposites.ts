/** Names that differ by one of these pairs mean the opposite. */
const opposites = new Set(
  (
    'create delete,add remove,add delete,insert delete,enable disable,activate deactivate,open close,start stop,begin end,' +
    'lock unlock,show hide,import export,upload download,send receive,send read,buy sell,login logout,join leave,' +
    'follow unfollow,subscribe unsubscribe,like unlike,mute unmute,block unblock,archive unarchive,increase decrease,' +
    'min max,minimum maximum,start end,from to,first last,before after,accept reject,accept decline,approve reject,' +
    'approve deny,get set,get delete,get create,get add,read write,push pull,deposit withdraw,encode decode,encrypt decrypt,' +
    'compress decompress,connect disconnect,attach detach,mount unmount,pause resume,up down,left right,find delete,' +
    'search delete,list delete,view delete,update delete,cancel create,cancel book,in out,sent received'
  )
    .split(',')
    .flatMap((pair) => [pair, pair.split(' ').reverse().join(' ')]),
)

/** True when two words are opposites, as `enable` and `disable`. */
export function areOpposites(a: string, b: string): boolean {
  return opposites.has(`${a} ${b}`)
}
