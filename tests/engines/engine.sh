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
    occupied) printf '= A1\n\n' ;;
    off-board) printf '= T19\n\n' ;;
    nonsense) printf '= banana\n\n' ;;
    garbage) printf 'hello there\n' ;;
    refuse) printf '? I would rather not\n\n' ;;
    twice) printf '= pass\n\n= pass\n\n' ;;
    unfinished) printf '= pas'; exit 0 ;;
    slow) sleep 5; printf '= A1\n\n' ;;
    flood) printf '= '; yes abcdefgh ;;
    blank) yes '' ;;
    answers) yes '= pass
' ;;
    mute) exec >&-; hang ;;
    deaf) exec <&-; hang ;;
    child) sleep 1000 & exit 0 ;;
    resign) printf '= resign\n\n' ;;
    *) printf '= pass\n\n' ;;
    esac
}

case $how in
*-at-start) misbehave "${how%-at-start}" ;;
esac

while read -r command rest; do
    case $command in
    genmove)
        asked=$((asked + 1))
        if [ "$asked" -ge "$due" ]; then misbehave "$how"; else printf '= pass\n\n'; fi
        ;;
    list_commands)
        printf '= name\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit'
        [ "$how" = counts ] && printf '\nfinal_score'
        printf '\n\n'
        ;;
    final_score) printf '= B+3.5\n\n' ;;
    boardsize)
        if [ "$how" = small ] && [ "$rest" != 5 ]; then
            printf '? unacceptable size\n\n'
        else
            printf '=\n\n'
        fi
        ;;
    quit)
        [ "$how" = stubborn ] && hang
        printf '=\n\n'
        exit 0
        ;;
    *)
        [ "$how" = chatty ] && yes 'so much to say' | head -c 300000 >&2
        printf '= %s\n\n' "$rest"
        ;;
    esac
done
[ "$how" = stubborn ] && hang
