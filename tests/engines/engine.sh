#!/bin/sh
# A GTP engine that passes, and misbehaves as told:
#   engine.sh HOW [N]    misbehaves at the genmove number N (1 if not given),
#                        or at once where HOW ends in -at-start.
# It understands what a match needs and no more.
how=$1
due=${2:-1}
asked=0

# Ignores input, signals that can be ignored, and everybody.
hang() {
    trap '' HUP INT TERM
    while :; do sleep 1000; done
}

misbehave() {
    case $1 in
    hang) hang ;;
    crash) echo "out of luck" >&2; exit 7 ;;
    killed) kill -s SEGV $$ ;;
    occupied) printf '=%s A1\n\n' "$id" ;;
    off-board) printf '=%s T19\n\n' "$id" ;;
    nonsense) printf '=%s banana\n\n' "$id" ;;
    garbage) printf 'hello there\n' ;;
    refuse-at-length) printf '?%s I would\r\nrather\nnot, "really"\n\n' "$id" ;;
    # As a system does that is out of memory.
    shot) kill -s KILL $$ ;;
    # A child beside the engine, and one that leaves its group and its parent too.
    beside) sleep 1000 & ;;
    orphan) (setsid sleep "$due" &) ;;
    refuse) printf '?%s I would rather not\n\n' "$id" ;;
    twice) printf '=%s pass\n\n=%s pass\n\n' "$id" "$id" ;;
    unfinished) printf '= pas'; exit 0 ;;
    burn) i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; printf '=%s pass\n\n' "$id" ;;
    burn-beside) sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'; printf '=%s pass\n\n' "$id" ;;
    burn-and-crash) i=0; while [ $i -lt 600000 ]; do i=$((i + 1)); done; exit 7 ;;
    nap) sleep 0.05; printf '=%s pass\n\n' "$id" ;;
    slow) sleep 5; printf '=%s A1\n\n' "$id" ;;
    flood) printf '= '; yes abcdefgh ;;
    blank) yes '' ;;
    answers) yes '= pass
' ;;
    mute) exec >&-; hang ;;
    deaf) exec <&-; hang ;;
    child) sleep 1000 & exit 0 ;;
    resign) printf '=%s resign\n\n' "$id" ;;
    *) printf '=%s pass\n\n' "$id" ;;
    esac
}

case $how in
*-at-start) misbehave "${how%-at-start}" ;;
esac

while read -r id command rest; do
    [ "$how" = numberless ] && id=
    case $command in
    genmove)
        asked=$((asked + 1))
        if [ "$asked" -ge "$due" ]; then misbehave "$how"; else printf '=%s pass\n\n' "$id"; fi
        ;;
    list_commands)
        printf '=%s name\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit' "$id"
        [ "$how" = counts ] && printf '\nfinal_score'
        [ "$how" = lists ] &&
            printf '\nkata-set-rules\nrectangular_boardsize\nset_random_seed\ntime_left'
        printf '\n\n'
        ;;
    final_score) printf '=%s B+3.5\n\n' "$id" ;;
    boardsize)
        if [ "$how" = small ] && [ "$rest" != 5 ]; then
            printf '?%s unacceptable size\n\n' "$id"
        else
            printf '=%s\n\n' "$id"
        fi
        ;;
    quit)
        [ "$how" = stubborn ] && hang
        printf '=%s\n\n' "$id"
        exit 0
        ;;
    *)
        [ "$how" = chatty ] && yes 'so much to say' | head -c 300000 >&2
        printf '=%s %s\n\n' "$id" "$rest"
        ;;
    esac
done
[ "$how" = stubborn ] && hang
