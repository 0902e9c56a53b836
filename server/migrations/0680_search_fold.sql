-- Searches compare texts as they are stored: full width, case, the kinds of dots in names and the groups of printed numbers make no difference, and what
-- people search lists by is found by the first letters of its pinyin too (ADR 0145).
-- lock: school, type_code are closed to writers while a column is computed for each of their rows, account, menu and dept while the parts of theirs are written anew; compatible: yes

-- The same as searchFold of the contract. What is left out: spaces, hyphens and dots, apostrophes, and what cannot be seen.
create function search_fold(word text) returns text language sql immutable parallel safe as
$$ select regexp_replace(lower(normalize(word, NFKC)), U&'[''\0009-\000D\0020\002E\0060\0085\00AD\00B7\02BC\1680\180B-\180F\200B-\200F\2010-\2015\2018-\2019\2022\2027\2028-\2029\202A-\202E\2060-\2064\2066-\2069\2212\2219\22C5\30FB\FE00-\FE0F\FEFF\+0E0100-\+0E01EF-]', '', 'g') $$;

-- The same as pinyinInitials of the contract, its words with a space between. The letters are the initials of U+4E00 to U+9FFF in their order, taken from ICU's
-- pinyin collation; a capital says that the character is read in more ways.
create function pinyin_initials(word text) returns text language plpgsql immutable strict parallel safe as
$$ declare
  letters constant bytea :=
    'ydkqsxhWzssxjbymgcczqpssqbycdscdqldylybsgjgyqzjjfgcclzzawdwzjljpfyynwjjtmyyzwzhfLyppqhgccyyymjqyxxgjxhsdsjnjjsmhmlzrxyfsngsyczqzggllyjlmyzssecykyyhqwj'
    'ssggyxyqyJtwkdjhychmyxjtlxjyqbyxdldwrrjjwySrldzjpCbzjjbrcfslbczstzfxxthtrqggbdlyccscymmrfcyqzpwwjjyfcrwfdfzqpyddwyxkyjawjffxjpdftzyhHycyswCcyqsclcxxwz'
    'zxnbgnnxbxlzsqCbsJpysyzdhmdzbqbzcwdzzyytzhbtsyyFzgntnxqywqskbphhlxgybfmjnbjhhgqtjcysxstkzglyckglysmzxyalmeldccxgzyrcxsdltjzcqkcnnjwhjczzcqljststbnxBty'
    'xceqxgkwjyflzqlyhjqspsfxlfpbYqxxxydcczylllsjxfhjxpjbcffyabyxbhczbjyclwlczggbtssmdtjcxpthyqtgjjscjfzkjzjqnlzwlslhdzbwjncjzyzsqnycqyrzcjjwybrtwpyftwexcs'
    'kdzctbxhyzcyyjxzcfbzzmjyxxcdczottbzljwfckszsxfyrlnyjmbdthjxsqjccsbxyytsyfbjdztgbcnclcyzzbsacyzzscjcshzqydxlbpjllmqxtydzxsqjtzpxlcglqccwjbhctdjjsfxjejj'
    'tlbgxsxjmyjjqpfzasyjncydjxkjcdjszcbartcclnjqmwnqnclllkbybzzsyhqcltwlccrshllzntylnewyzyxczxxgdkdmtcedejtsyyszdqdfmsdzjlhrwnqlybglxhlgtgxbqjdzfyjsjyjcjm'
    'rnymgrcjczgjmzmgxmmryxkjnymsgmzjymklfxmbdtgFbhcjhkylpfmdxlqjjsmtqgzsjlqdldgjycalcmzcsdjllnxdjffffjczfmzffpfkhkgdpqxktacjdhhzdddrrcfqyjkqccwjdxhwjlyllz'
    'gcfcqdsmlzpbjjplsbcjggdckkdezsqCckjgcgkdjtjllzycxklqscgjcltfpcqczgwbjdqsdjjbyjhsjddwgfsjgdkccctllpspkjgqjhzzljplgjgjjthjjyjzcjmlzlyqbgjwmljkxzdznjqsyz'
    'mljlljkywxmkjlhskjgbmclyymkxjqlbmclkmdxxkwyxwslmlpsjqjcqxyjfjtjdxmxxllcrqbsyjbgwywxggbcyxpjtgpepfgdjgbhbnCfjyzjkjkhxqfgqzkfhygkhdgllsdjjxpQykybnqsxqns'
    'zswhbsxwhxwbzzxDmndjbsbkbbzKlylxgwxjjwaqzmywsjqlcjxxjqwjeqxscwetlzhlyyysdzpyqyzcmtLshtzcfycyxyljXdcjjagyslcllyyysglrqqeldxzsCcccadycjysfsgbfrsszqsbxxp'
    'sjwsdrckgjlgDkzjZbdktcsyqpYhstcldjlhmXmcgxyzHjdctmhltxzXylamohyjcltyfbqqjbFbdfehtksqhzywwcnxxcdwhhwgyjlegmdmcwgfjhcsntfydolbygwqwesjpwnllrydzsztxyqpzg'
    'cwxhnxpyxshmdqjhztdppbfyhzhhjyfdzwkgKzbldntsxhqeegzxylzmmzyjzLszxKhkhtxexxgylyapsthxdwhzydpxagkydxbhnhxkdfjnmyhylpmgocslnzhkxxlbzzlbmlsfbhhgsgyyggbhsc'
    'yajtxwlxtzqcwzydqdqmmhdqllszhlsjzwfjhqswscelqazynytlsxthaznkzzsdhlacxtwwcsgqqtddyzbcchyqzflxpslzygpzsznglydqcbdlxjtctajdkywnsyzljhhdzcwnyyzynmhychhhxh'
    'jkzwsxhdnxlyscqydpclyzwmypbkxyjlkzhtyhsxqsyshxasmchkdscrswjpwqsgzjlwwschszhsqnhzsngndaqtbaalzzmsstdqjcjktscjaxplggxhhgoxzcxpdmmhldgtybysjmxhmrzplxjzck'
    'zxshflqxccdhxezfchzccdytcjyxqhlxdhypjqxnlsyydzozjnhxqezysjyayxkypdghddxsppyzndlthrhxydpcjjhtcxmctlhbynyhmhzllhnxmylllmdcppxhmxdkycyrdltxjchhznxclcclyl'
    'nzsxzjzzlnnllwhyqsnjhxynttDkyjpychhyegkcttwlgqrlggtgtygyhpyhylQyqgcwyqkpyyyttttlhyhlltyttsplkyzwgtwgpydqqzzdqxskcqnmjjzzbxyqmjrtfbbtkhzkbjdjjkdjjtlbwf'
    'zpbtkqtztgpdgntpjyfalqmkgxbdclzfhzclllladpmxdjhlcclgyhdzfgyddgcyyfgydxkssebdhykdkdkhnaxxybfbyyhxcqgabfqyjjdmljcsjzllPchbsxgjyndybyqspqwjlzktddtaccbkzd'
    'yzypjzqsjnkktknjdjgyepgtlfyqkasdntcyhblgdzhBbydmjregkzyheyybjmcdtyfzjjhgcjplxhldwxjjkytcyksssmtwcttqzlzbszdtwzxgzagyktywxlhlcpbclloqmmzsslcmbjcszzkydc'
    'zxgqjdsmcytzqqlwzqzxssbpkdfqmddzdsddtdmfhtdyzjaqjqkypbdjyyxtljhdrqxxxhaydhrjlklytwhllrllrcxylbwsrszzsymKzzhhkyhxksmzsyzgcjfbzbsqlfcxxxnxkxwymsddyqwggq'
    'mmyhcdzttfgyyhgstttybykjdhkyjbelhdypjQnfxfdqkzhqkzbyjtzbxhfdxbdaswhawajldyjsfhbldnndnqjtjnchxfjsrfwhzfmdrfjyhwzpdjkzyjymfcyznynxfbytfyfwygdbnzzzdnytxz'
    'emmqbsqehxfzmbmflzzsrsymjgsxwzjsprydjsjgxhjjgljjynzjjxhgjkymlpeyycsysgqzswhwlyrjlpxslcxmfsmwkcctnxnynpnjszhdzeptxmwywayysywlxjqzqxzdclaeelmcpjpclwbxsq'
    'hfwrtffjtnqjhjqdxhwlbyzcfjlalkyyjldxhhycstdywnrjtxywdrmdrqhwqcmfjdyzmhmayxjwmyzqsxtlmrspwwchajbxtgcypxyyrrclmpamgkqjszyjrmyjsnxtplnbappypylxmyzkynldgy'
    'jzczhnlmzhhanqmpgwqtzmxxmllhgdzxyhxkrxycjmffxyhjfsbssqlhxndycannmtcjcyprrnytyqnyymbmsxndlylysljnlxyshqmllyzlzjjjkymzcsfbzxxmstbjgnxyzhlsnmcqscyznfzlxb'
    'rnnnylmnrtgzqysatswryhyjzmzdhzgzdwybsscskxsyhytsxgcqgxzzbhyxjscrhmkkbSczjyjymkqhzjfnbhmqhysnjnzybknqmcjgqhwlsnzswxkhljhyybqcbfcdsxdldspfzfskjjzWzxsddx'
    'jseeegjscssmgclxxkwwyllymwwwgydkzjgggtggsycknjWNjpcxbjjtqtjwdssPjxzxnzxwmelptfSxtllxcljxjjljsxctnstxlehhlyqrwhsycsqrybyaywjejqfwqcqqcjqgxaldbzzyjgkgxp'
    'ltqyfxjltpadkyqhpmatlcpdhkxmtxybhblefxdleegqdymsawhzmljtwyqxlyjzljeeyxbqqffnlyxrdsctgjgxywlkllxqkcctlhjlqmkkzgcyygllljdzgydhzwxpysjbzkdzgyzzhywyfqytyz'
    'szyezklymhjjhtsmqwyzlkyywzcsrkqyqltdxwcdrjklwsqzwbdcqyncjsrszjlkcdcdtlzzzacqqczddxyplxcbqjylzllljddzjgyjyjsyxnyyynxjxkxdazwyrdljyyyrjlglldrxjcykywnqcc'
    'lddnyyykyckczhjxcclgzqjgjwppcqqjysbzzXyjxjbxjfzbsbdsfnsfpzxhdwztdmpptblzzbzdmyypqjrsdzsqzsqxbdgcpzswdwcsqzgmdhzxmwwfybpdgphtmjthzsmmbgzmbzjcfzhfCbbzmq'
    'cfmbcmcjxlgpnjbbxgyhyyjgptzgzmqbqdcgybjxlwzkydpdymgcftpfxyztzxdzxtgkmtybbclbjaskytssqyymscxfjewlsllszbqjjjaklyldlycctsxmcwfgkkbqxlllljyxtyltyxytdpjhnh'
    'gnkbyqNfjyyzbyyessessgdyhfhwtcjbsdzjtfdmxhcnjzymqwsrxjdzjqpDQbbsdjggfbkjbxdgjhmgwjjjgdllthzhhyyyyyysxwtyyyccbdbpypzyccztjpzywcbdlfwzcwjdxxhyhlhwczxjtc'
    'zlcdpxdjczczlyxjjsjbhfxwpywxzptdzzbdccjhjhmlxbqxxbylrddgjrrctttgqsczwmxfytmwzcwjwxjywcskybzqccttqnhxnkxxkhkfhtswoccjybcmpzzyjbnnzpbthhjdlscddytyfjpxyn'
    'gfxbyqxcbhxcbsxtyzdmzysnxsxlhkmzxlthdhkghxjsshqyhhcjyxglhzxcsnhekdtgqxqypkdhExtykcnymyyypkqyytjxzlthhqtbyqhxbmyhsqckwwyllhcyylnneqxqwmcfbdccmljggxdqkt'
    'lxkgnqcdgzjwyjjlyhhqtttnwchhxcxwheszjydjccdbqcdgdnyxzdhcqrxcbmztqcbxwgqwyybxhmbymykdyecmqkyaqyngyzslfykkqgyssqyshjgjcnxkzycxsbkyxhyylstycxqthysmgscpmm'
    'gcccccmtztasmgqzjhklosqylswtmqsyqkdzljqqyplcycztcqqpbbqjzclpkhqcyyxxdtdddsjcxffllchqxmjlwcjcxtspycxndtjshjwxdqqjckxyamylsjhmlalykxcyydmamdqmlmcznnyybz'
    'kkyflmchcmlhxrcjjhsylnmtjggzgywjxsrXcwjgjqhqzdqjdzjjzkjkgdzqgjjyjylhzxxcdqhhhestmhlfsbdjsyyshfyssczqlpbdrfrztzdkykhsctgkwdqzrkmsynbcrxqbjyfaxpzzedzcjy'
    'kbcjwhyjbqdzywnyszptdkZpfpbaztklqyhbbzpnbptyzzybhnydcpjmmcycqmcjfzzdcmnlfpbplngqjtbttajzpzbbdnjkljqylnbzqhksjznggqsczkyxchpzsnbcgzkddzqanzgjkdntlzldwj'
    'ljzlywtxndjzjhxyatncbgtzcsskmnjpjytsrwxcfjwjjtkhtzplbhsnjzsyjbwbzyzlstlsbjhdwwqpslmmfbjdwajyzccjtbnnrzwqxcdslqgdsdpdzhjtqqpsqlyyjzlgyhyzlctcbjtktyczjt'
    'qkbpjlgmjzdmcsgpynjzjjyyknhrpwszxmTncszzyxybyhyzaxywkcjtllckjjtjhgcxdxyqyczbywblwqcglzgjgqrqcczssbcrbcskydznljsqgxssjmecnstztpbdlthzwhqwqtzexnqczgwesk'
    'ssbybstscsjccgbfsdqszlccglllzghzcthcnmjgyzaznmckcstjmmzckbjygqljyjppldxrgzyxccsnhshgdznlzhzjjcddcbcjflbfqbczzwpqdnhxljcthqwjgylnlszzpcjdscqqhjqkdxkpba'
    'jyemsmjtzdxlcjyryynwjbngzzkmjxltbsllrtpylcsznxjhllhyllqqzqlxymrcwcxsljmczltzldwdjjllnzggqxppskygyggbfzpdkmwghcxmcgdxjmcjsdycabxjdlnbcddygskydjtxdjjyxm'
    'saqazdzfslqxyjsjzylblxxwxqqzbjzlfbblylwdsljhxjyzjwtdjcyfqzqzzdcsxzzqlzcdzfchyspympqzmlpplffxjjnzzylsjyyqzfpfzksywjjjhrdjzzxtxxglghtdxcskyswmmtcwybazbj'
    'kshfhgcxmhfqhyxxyzftsjyzbxyxpzlchmzmbxhzzssyfdmncwdabazlxktcshhxkxjjzjsthygxsxyyhhhjwxkzxcsbzzwwhhcwtzzzpjxsnxqqjgzyzawllcwxzfxgyxyhxmkyyswsqmnjnaycys'
    'pmjkgwcqhylajjmzxhmmcnzhbhxclxtjpltxyjhdyylttxfszhyxxsjbjyayrsmxyplckdlyhlxrlnllstyzyyqygyhhsccsmcZtzcxhyqfpyyrpfflfqtntszllzmhwtCjQyzwtllmlmdwmbzsSmz'
    'rbPdddlgjjbxccsrzqqygwcsxfwzlxccrbtdzmcyggdlqsgtjmwljmymmsyhfbjdgyxccpshxczcsbsjwjgjmpbwaffyfnxhydxzylremzgzcyhsszdlljcsqfzxxkptxzgxjjgbmyyysnbtylbnlh'
    'bfzdcyfbmgqrrmsszxysGtznnydzzCdgbjafjbdknzblcsszpsgzycjszlmlrzzbzzldlsllysxsqzqlyxzlsgkbrXbrbzcycxzjzeeyfgklzlyyhgysgzlfjhgtgwkraajyzkzqtsshjjxdzyzzyj'
    'lzyrzdqqhGjzxsszbtkjpbfrtjxllfqwjgslqtymblpzdxtzagbdhzzrbgjhwnjtjxlhscfsmwlldqysjtxkzscfwjlbxftzlljzllqblcqmqqcgcdfpbbhzczjlpyygjdtgwdcfczqyyyqysrclqz'
    'fklzzzgffsqnwglhjycjjczlqzzyjbjzzbpdccmhjgxdqdgdlzqmfgpsytsdyfwwdjzjysxyycjcyhzwpbyhxrylybhkjksfxtzjmmchhlltnyymsxxyzpdjjycdyzwmtjjkqyrhllqxpsgtlwyclj'
    'scbxjyzfnmlrgjjtyzbsyzmsjyjhgfzqmsyxrszcwtlrtqzsstkxgqggsptgcdnjsgcqcqhmxggztqydjKzdlbzsxjlhyqgggthqscpyhjhhgnygkggcmjdzllcclxqsftgzslllmlcskctbljzzsz'
    'mmnytpzsxqhjcjyqxyexzqzcpshkzzysxcdfgmwqrllqxrfztlysdctmjcsjjdhjnxtnrztzfqrhqgllgcxszsjdjljcytsjtlnyxhszxcgjzyqpylfhdjsbpcczgjjjqzjqdybssllcmyttmqtbhj'
    'qnnygkynqyqmzgcjkpdcgmyzhqllsllclmholzgdylfzsljcqzlylzcjeshnylljxgjxlyjyyyxnbcljsswcqqcjyllcldjyllzllbnylgqchxyyqoxccqkyjxxhyklksxaqqxcqkkkkcsgyxxyqxy'
    'gwtjohthxpxxcsshcyeychzzcbwqbbwjqcscszsslzylgdesjzmmymcytsdsxxscjpqqsqylyfZychdjdzywcbtjsydjhcyddjlbdjjsodzyqysqkxxdhhgqjyohdyxwgmmmajdybbbppbcmhcpljz'
    'smtxerxjmhqdstpjdcbssmsssthjtslmmtrcplzszmlqdsdmjmqpnqdxcfynbfsdqqyxhyaykqyddlqyyysszbydslntfjtzqbzmchdhczcwfdxtmqqsphqwwxsrgjcwtjtzzqmgwjjrjhtqjbbgwz'
    'fxjhnqfxxqywyyhyScdydhhqmnmdmmcpbszppzzglmzfollcfwhmmsjzttthlmyffytzzgzyskjjxqyjzqBhmbzzlyghgfmshpcfzsnclpbqsnjszslxjfpmtyjygbxlldlxpzjypjyhhzcywhjyls'
    'jexfsqzywXkzjllaDtmlymqjpwxxhxsktqjezrpxxzghmhwqpwqlyjjqjjzszcfhjlchhnxjlqwzJhbmzyxbdhhypylhlhlgfwlcfyytlhjjcjmscpxstkpnhjxsntyxxtestjctlsslstdlllwwyh'
    'dhrjzsfgxssyczykwhtdhwjslhtzdqdjzxxqggyltzphcsqfzlnjtclzpfstpdynylgmjllycqhynsbchylhqyqtmzybbywrfqykjsyslzdyjmpxyyssrhzjnyqtqdfzbwwdwwrxcwhgyhxmkmyyyh'
    'msmzhngcepmlqqmtcwctmhmxjpjjhfxyyzsjchtybmstsyjdtjjqytlhynbyqzlcxcnzwsmylkfjxlwgbypjytysylymzcktdwlgsmzsylmpwlzwxwqzssaqsyxyrhssntsrapccpwcmgdhhxzdzxf'
    'jhgzttsbjhgyglzysmyclllybtyxhbbzjkssdmalhhycfygmqypjycqxjllljgclzgqlycjcctotyxmtmshllwcgfxymzmklpszzcxhhjyslctyjcyhxsgyxzkxlzwpyjpdhjwpjpwsqqxlxxdhmrs'
    'lzcyzwstcxkystzshbsccstplwsscjChjlcgchssphylhfhhxjsxyllnylmzdhzxylsxlwzyhcldyahzcmddyspjtqjzlngjfsjshctsdszlblmssmnyymjqbjhrcwtyydchqljapzwbgqybkfcmjw'
    'lzllyylszydwhxpsbcmljPscgbhxlqhyrljxyswxhxzlldfhlslymjljyflyjycdrjlfsyzfsllcqyqfgjyhyszlylmstdjcyhbzllnwlxxygyyhbmgdhxxhhlzzjzxczzzcyqzfnjwpylcpkpykpm'
    'clqkdgxzggwqbdxzzkzfbxxlzxjtpjpttbytszzdwslchzhsltjxhqlhyxxxywzyswtmzkhlxzxzpyhgchkjfsyhztjrlxfjxptztwhplyxfcrhxshxkjxxyhzjdxjwylhyhmjtbflkhtxcwhcfwjc'
    'fpqrxqxcyyyjygrpxgscsxngwchkzdxhflxxhjjbyzwtsxnncyjjymswzjqrmhxzwfqsylzjzgbhynslbgttcsebhxxwxyhhxyxnsqyxmlywrgyqlxbbcljsylpsytjzyhyzawlhorjmksczjxxxyx'
    'chcytryxqjddsjfslyltsffyxlmtyjmjjyyyxltzcsxqzlhzxlwyxzhdnlrxhxjcdyhlbrlmbrllaxksllljlyxxlycrylcjcgjcmtlzllcyzzpzpcyawhjjfybdyyzsepckzdqyqpbpcjpdcyzbdb'
    'bcyydycnnpjmtmlrmfmmgwygbsjgygsmdqqqztxmkqwgxllpjgzbqcdjjjfpkjkcxbljmswmdtqjxldlppbxcwkcqqbfqjczagzgmykbhyyhzykndkzmbpjyspxthlfpnyygxjdbkxnhhjhzjxstrs'
    'tldxskzysybmxjlxyslbzyslhxjpfxbqnbylljqkygzmcyzzymccsldlhzgwfwyxzmwcxtynxjhbyymcysbmhysmydyshqyzchmjjmzcaahcbjbbhplxtylsxsdjgjdhkxxtxxnbhnmlngsltxmrhn'
    'lxqjxmzLlyswqgdlbjhdcgjyqyymhwfwjybbbyjmjwjmdpwhxqldyapdfxxbcgjspckrssyzjmslbzzjfljjjlgxzgyxyxlszqyxbexyxhgcxbpldyhwecdwwcjmbtxchxyqxllxflyxlljlssfwdp'
    'zsmyjclmswtczbchqekcqbwlcgydblqppqzqfjqdjhymmcxtxdrmjwrhxcjzclqxdyynhyyhrslsrsywwzjymtltllgtqcjzyabsckzcjyccqljsqxalmzyyywlwdxzxqdllqshgpjfjljhjabcqzd'
    'jgthhsstcyjlbswzlxzxrwgldlzrlzqtgsllllzlymxqgdzhgbdbhzpbrlwzxqbpfdwozzwhlypcbjcczdmbzpbzzzcyqxldomzblzwpdwyygdstthcsqsccrsssyslfybfntyjszdfndpthtzzmbb'
    'lxlcmyffgtjjqwftmdpjwdnlbzCmmctgbdzlqlpyFhsymjylsdchdzjwjcctljcldtljjcpddpjdsszynndbjlggjzxsxnlycybjjqxcbylzcfzppgkcxzdzfztjjfjsjxzbnzyjqttyjwhtyczhym'
    'djxttmpxsflzcdwslshxybzgtfmlcjtacbbmgdewycyzcdszcyhflyctygwhkjyylsjcxgywjcbhlcsnddbtzbsclyzczzssqdllmqyyhfllqllxfdyhabxggnywyypllsdldllbjcyxjzmlhljdxy'
    'yqytdlllbbgbfdfbbbjzzmdpjhgclgmjjpgaehhbwcqxaxhhhzchxyphjaxhlphjpgpzjqcqzgjjzzgzdmqyybzzphyhybwhazyjhykfgdpfqSdlzmljxjpgalxzdaglmdgxmwzqytxdxxpfdmmSsy'
    'mpfmdmmkxksyzyshdzkjsysmmzzzmsydnzzczxbmlstmddnmxckjmztyymzmzzmsshhdccjemxxkljstgwlsqlyjzllsjssdbpmhnlyjczyhmxxhgzcjmdhxtkgrmxfwmckmwkdcksxqmmmfzzydkm'
    'sclcmpcgmwrpxqpzdsslcxkyxtmlgjyahzjgzqmcsnxyhmmpmlkjxmhlmlgmxctkzmjjyszjsyszhsyjzjcdajzybSdqjzgwzkgxfkdmsdjlfmehkzqkjbeypzyszcdwyjffmzjykttdzzefmzlbnp'
    'plplpbpszalltylkckqzkgenqlhagyxydpxlhsxqqwqykxqclhyxxmlyccwlymqyskychlcjnszkpyzkcqzqljbdhdjhlasqlbydwqlwdnbqcryddztjybkbwszdxdtnpjdtctqdfxqqmgnseclstb'
    'hpwslctxxlpwydzklzygzcqapllkccylbqmqczqcljslqzdjxldthpzqdljjxzqdjyzhkzljcyqdyjppypeakjyrmpcbymcxkllzllfqpylllmbsglcysslrsysqtmxyxqqzbdzrysyztffmzzsmzq'
    'hzssccmlyxwtpzgxzJgzgsjsgkddhtqggzllbjdzlCbzhyxyzhzfywxyzymsdbzzyjgtsmtfxqyxjscdgslnmdlrytzlryylxqhtxsrtzcgyxbnqqZfhykmzjbzyMkbpnlyzpblmcnqyzzzsjzhjct'
    'zhhyzzjrdyzhnfxglfxslkgjtctssyllgzrzbbjzzklpkbczyslxyxbjfpnjzzxcdwxzyjxzzdjJgggrsrjkmcmzjlsjywqshyhqjsxpjztzlsnshrnypjtwchklbsrzlcxwjqxqkysjycztlqzybb'
    'ybwzjqdwgyzcytjcjxckcwdkkzxsgkdzywwyyjqyytcytdjlxwkczkklcclzcqqdzlqlcsfqchqhsfsmqzzllbjjzbsjhtsjdysjqjpdlzcdcwjkjzzlpycgmzwdjjbsjqzsyzyhhxcbbjydssddzn'
    'cglqmbtsfcbfdzdlznfgfjgfsmptjqlmblgqcyyxbqkdxjqsrfkztjdhczklbsdzcfYtplljgjhtxzcsszzxstcygkgckgyoqxjplzbbbgtgyjdgczqszlbjlsjfzgkqqjcgyczbzqtldxrjxbsxxp'
    'zxhyzyclwdsjjhxmfczpfzhqhqmqgkslyhtycgfrzgnqxclpdlbzcsczqlljblhbdcypczppdymtzsgyhckcpzjgslclnscdsldzxbmsdlddfjmkdjdhslzxlszqpqpgjllybdszgqlbzlslkyyhzt'
    'tncjyqtzzfszqztlljtyyllqllqyzqlbdzlslyyzymdfszsnhlxznczqzbbwskrfbcyzmthblgjpmcZzcstlxshtzcyzlzblfeqhlxflcjlyljqcbzlzjghsstbrmhxzhjzclxfnbgxgtqjcztmsfz'
    'kjmssnxljkbhszxntnlzdntlmsjXgzjyjczxyhyhwrwwqnztnfjscpzshzjfyrdjsfscjzbjfzqzchzlxfxsbzqlzsgyftzdcszxzjbqmszkjrhxjzcgbjkhchgtjkjqglxbxfgdrtylxjxgdtsjxh'
    'jzjjcmzlcqsbtxhqgxttxhxftsdkfjhzyjfjxrzcdlllcqsqqzqwqxswqtwgwbzcgcllqzbclmqqtzgzxzxljfrmyzflxysqxxjkxrmjdcdmmyxbsqbhgcmwfwtgmxlzbyytgzyccdxyzxswgxyjyz'
    'nbgpzjcqsyxcxrtfycgrhztxszzthcbfclsyxzljqmzlmplmxzjssFlbysmyqhxjsxrxsqzzzsslyflczjrcrxhhzxqydshxsjjhzcxjbdynsysxjbqlpxzqpymlxzkyxlxcjlcycrxzzlldlllsjy'
    'HzxhyjwkjrwyhcpsgnrzLfzwfzznsxgxflzsxzzzbfcsyjdbrjkrdhhgxjljjtgxjxxstjtjxlyxqfcsgswmsbctlqzzwlzzkxjmltmjyhsddbxgzhdlbmyjfrzfcgclyjbpmlysMsxlszjqqhjzfx'
    'gfqfqbpxzgyyqxgztcqwyltlgwwgwhllfsfgzjmgmgbgtjfsyzzgzyzaflsspmlbflcwbjzcljjmzlpjjlymqdmyyyfbgygqzglyzdxqyxrqqqhsxyyqqygjtyxfsfsllgnqcygycwfhcccfxbylyp'
    'llzqxxxxxkqhhxshjDcfdsczjxcpzwhhhhhapylhalpqafyhxdyllkmzqgggddesrnndltzgchybpysqjjhclljtolnjpzljlhymheydydsqycddhgzpndzclzywllznteytgxlhslpjjbdgwxpcdn'
    'tjcklkclwkllcasstknzdnqnttlyyzssysszzryljqkcgbhhcrxrzydgrgcwcgzhfffppjfzynakrgywyqpqxxfkjtszzxswzddfbbqtbgtzfznpzfpzxzpjszbmqhkcyxyldkljnypkyghgdcjxxe'
    'ahpnzgctzcmxcxmmjxnkszqnmnlwbwwxjjyhclstmcsqdjcxxtpcnPdtnnpglllzcjlspblplkcdtnjnlyyrscffjfqwdpgzdwmnzcclodaxnssnyzrestyjwjyjdbcfxnmwttbqlwstszgybljpxg'
    'lboclgpcbjftmxzljylzxcltpnclcgxtfzjshcrxsfyszdkntlbyjcyjllstgqcbxnwzxbxklylhzlqzlnzcqwgZlgzjnCjgcmnzzgjdzxtzjxycyycxxjyyxjjxsssjstssttppghtcsxwzdcsyfp'
    'tfbchfbblzjclzzdbxgcxlqpxkfzflsyltywbmnjhskbmddbcysccldxycddqlyjjhmqllcsgljjsyfpyyccyltjAntjjpwycmmgqyysxdhqmzhszxbftwwzqswqrfkJlxjqqyfbrxjhhfwjgzyqac'
    'myfrhcyybyqwlpexcczstyrltsdmqlykmbbgmyyjprknnbbsxyxbhyzdjdnghpmfsgbwfzmfJmmbcmzdcjjlcnyxyqgmlrygqccyhzlwjgcjcggmcjjfyzzjhycfrrcmtzqzxhfqgdjxccjeaqcrjt'
    'hpljlszdjrbcqhjdzrhxlyxjsymhzydwldfryhbbydtssccwbxglpzmlzztqsscpjmmxjcsjytycghycjwsnsxlfemwjnmkllswtxhyyygcmmcwjdqdjzglljwjnkhpzggflccsczmcbltbhbqjxqd'
    'jpdjqtghglfqawbzyzjltstdhqhctcbchflqmpwdshyytqwcnztjtlbypbpdyyyxsqkxwyyflxxncwcxybmaelykkjmzzzbrxyaqjfljpfhhhytzzxrgqqmhspgdzjwbwpjhzjdyjcqwzkthxsqlzy'
    'ymysdzgrxckkhjlwpysyscsyzlrmlqsyljxbcxtlhdqzpcycykpppnsxfyzjjrcemhszmsxlxglrwgcstlrsxbygbzgztcpldjlslylymdtmtcpalcxpqjcjwtcyyzlblxbzlqmyljpghdslssdmxM'
    'bdczsxWhamlczcpjmcnhjyjnsygchskqmzzqdllkablwjqsbmocdxjrrlyqchjmybyqlrhetfjzfrfksryxfjdwdsxxlwsqjyslyxwjhsnlxyaxhBhawhhjcxwmyljcsqlkydttxbzsxfdxgxsjhhs'
    'xxybssxdpwncmrptjzczenygcxqfjxkjbdmljCmqqxloxslyxxlylljdzbtymhbfsttqqwlhogyblscalzxqlhtwrrqhlstmypyxjjxmqsjpnbryxyjllyqylthylqyfmhkljdmllhfzwkzhljmlhl'
    'jkljstlqxylmbhhlnlsxqchxcfxxlhyhjjgbyzzkbxscqdjqdsxjzsyhzhhmgsXcsymxfebcqwwrbpyyjqtyqcyjhqqzyhmwffhgzfrjfcdbxndqyzpcyhhjlfrzgppxzdbbgzqstlgdgylcqmgchh'
    'mfywlzyxkjlypqHsywmqqgqzmlzjnsqxjqsyjtcbehsxfssfxzwfllbcyyjdytdthwzsfjmqqyjlmqsxlldttkhhybfpwdyysqqrnqwlgwdebdwcyygcdlkjxtmxmyjsxhybrwfymwfrxyqmxysctz'
    'ztfykmldhqdlwyqnlcryjblpsxcxywlsbrrjwxhqybhtydnhhgmmywytzcsqmtssccdalwztcpqpyjllqzyjswxwzzmmglmxclmxczmxmzsqtzppjqblpgxjzhfljjhycjsnxwcxsccdlxsyjdcqcx'
    'slqyclzxlzzxmxqrjmhrhzjphmfljlmlclqnldxzlllfypngjysxcqqdcmqjzzxhnpnxzmekmxXykyqlxsxtxjxyhwdcwdzhqyybgybcyscfgfsjnzdyzzjzxrzrqjjymcanhrjtldbpyzbstjhxxz'
    'ypbdwfgzzrpymtngxzqbyxmbbfcckrjqjbjegrzgyclkxzdxkknsjkcljspgyyzlqqjybzssqlllkjfcbktylcccdblsppfylgydtzjyqggkqttfcxbdkdxxhybbfytyhbclpdytgdhryrnjsbtcsn'
    'yjqhklllzslydxxwbcjqsbxbfjzjcjdzfbxxbrmlazgcsnclbjdstblfrzdswsbxbcllxxlzdjzsjpylyxxyfTfffbhjjjgbygjpmmmmsscljmtlyzjxswxtyledqpjmygqzjgdjlqjwjqllsdgjgy'
    'gmscljjxdtygjqjqjcjzcjgdzdshqgsJggcjhqxsnjlzzbxhsgzxcxyljxyxyydfqqjhjfxdhctxjyrxysqtjxyefyyssyxjxncyzxfxcsyszxyyschshxzzzgzzzgfjdldylnpzgyjyzyyqzpbxqb'
    'dztzczyxxyhhscxshcggqhjhgxwsztmzmehyxgebtylzkkwytjzrclekestdbcykqqsayxcjxwwgsbhjszsdhcsjkqcxswxfctynydpzcczjqtzwjqdzzzqzljchlsbhpydxpsxshhezdxfptjqyzz'
    'xhyaxncfzyyhxgnqmywxtzsjpkhhgymxmxqcxtsbcqsjyxhtyylybcqlmmszmjzjllcogxzaajzyhjmchhcxzsxzdznleyjjzjbhzwzzsqtzpsxztdsxjjjznyazphhyysrnqdthzhayjyjhdzxzls'
    'wclybzyecwcycrylcxnhzydzydyjdfrjjhtrsqtxyxjrjhojynxelxsfsfjzghpzSxzszdzcqzbyyklsgsjhczshdgqgxyzgxchxzjwyqwgyhkSseqzzndzfkwyssDclzstsymCdhjxxyweyxczayd'
    'mpxmdsxybsqmjmzjmtzqlpjyqzcgqhxjhhhxxhlhdldjqcldwbsxfzzyyschtytyjbhecxhjkgjfxbhyzjfxbwhbdzfyzbcapnpgnydmsxhkhhmamlnbyjtmpxyjmcthjbzyfcgtyhwphftgzzezsb'
    'zegpbmdskftycmhbllhgpzjxzjgzjyxzsbbqsczzlzccstpgxmjsftcczjzdjxcybzlfcjsyzfgszlybcwzzbyzdzypswyjgxzbdsysxlgzbzfygczxbzhzftpbgzgejbstgkdmfhyzzJhzllzzgjq'
    'zlsfdjsscbzgpdlfzfzszyzyzsygcxsntxchczxtzzljfzgqsqyxzjqccccdjcdxzjyqjccgxztdlgscxzsyjjqtcclqdqztqchqqjztezzzpbkkdjfcjfztybqyqttynlmbdktjcpqzjdzfpjsbnj'
    'lgyjdxjdzqkzgqkxclpzjtcjdqbxdjjjstcjnxbxcmslyjcqmtjqwwcjjnjnlllhjcwqtbzqyczczpzzdzyddcyzdzccjgtjfzdprntctjdcqtqndtjnplzbcllctdsxkjzqdpzlbznbtjdcxfczdb'
    'ccjjltqjpldcgzdbbzjcqdcjwynllzlzccdwllxwzlxrsntqjccxkjlsgdfqtddglrlajjtklymkqlldzytdyycygjwyxdxfrskstcdenqmrkqzhhqkdldazfkypbggpzrebzzykyzspegjjglkqzz'
    'zslysywyzwfqznlzzlzhwcgkypqgnpgblplrrjyxcccgyhsfzfwbzywtgzxyljczwhxzjzblfflgskhyjzeyjhlpllllCYgxdrzelrhgklzzyhzlyqszzjzqljzflnbhgwlczcfjwspyxzlzlxgccP'
    'zbllcxbbbbxbbcbbcrnncccyrbbsyldcgqyyqxygmqzwtzydyjhyfwdehzdjywlccntzyjjcdedpzdztstqjhdymbjnyjzlxtsstphndjxxbyxqtzqddtjtdyztgwscszqflshlglbcjbhdlyzjyck'
    'wtydylbnydsdsycctyszyyebgexhqddwnYgyclxtdcystqmygzasccszzddlcclzrqxyyeljsbymxshztembbllyyllytdqyshymrqxkfkbfxnxsbychxbwjyhtqbpbsbwdzylkgzskyghqzjhhxjx'
    'gnljkzlyycdxlfwfghljgjybxblybxqpqgztzplncybxdjyqydymrbesjyyhkxxstmxrczzywxyhybmcflyzhqyzmqxdbxbzwzmslpdmyckfmzklzcyjyczlhxfzlydqzpzygyjyzmzxdzfyfyttqt'
    'zhgspczmlccytzxjcytjmkslpzhysnwllytpzctzzcktxdhxxtqcypksmqccyyazhtjpcylzlyjbjxtfnyljyynrxcylmmnxjsmybcsysslZylxjjgyldzdpqbfzzblfndsqkczfhhhgqmrdsxycst'
    'xnqqjpyjbfcxdyqfbnxejdgyqbsrcnfyyqpghyjdyzxgrhtkyleqdzntsmgklbsgbpyszbytjzsszjcssxzbhbscsbzczptqfzmqflypybbjgszmxxdjmthyskkbjtxhjcegbsmjyjzcxtmljyxrzz'
    'qscxxqptzxmkyxxxjcljprmyygadyskqlsadhrskqxzxztcghztlmlwxybwsycdbhjhcfcwzsxhytkzlxqshlyczjxemplprcgltbzztlzjcyjgdtclglpllqpjmzpapxyzlaktkdnczzbnzctdqqz'
    'jyjgmctxltgcszlmlhbglkfwnwzhdxphlfmkydlgxdtwzfrjejctzhydxykshwfzcqshktmqqhtchymjdjskhxzjzbzzxympajqmsdbxlsklyynwrtsqlscbpdbsgzwyhtlkssswhzzlyytnxjgmjs'
    'zsxfwnlsoztxgxlsammlbwldszylakqcqctmycfjbslxclzjclxxksbzqclhjphqplsxsckslnhpsfqqytxjjzlqldxzjjzdyydjnzptfcdskjfsljhylzqjzlbthydgdjfdbyazxdzhzjnhhqbykn'
    'xjjqczmlljzkspldsclbblxklelxjlbjycxjxgcnlcqplzlznjtzljgyzdzpltqcssfdmnycxgbtjdcznbgbqyqjwgkfhdnbyqzqgbkpbbyzmtjdytblsQmbsxtbnpdxklemyycjynzDtldykzzxtd'
    'xhqshdgmzsjycctayrzlpwltlkxslzcggexclfxlkjrtlqjaqzncmbqdkkcxglczjzxjhptdjjmzqykqsecqzdshhadmlzfmmzbgntjnnlGbyjbrbtmlbyjdzxlcjlpldlpcqdhlhzlycblcxzcjad'
    'qlmCmmsshmybhbskkbhrsxxjmxsdznzpxlbbragggfchgmsklltsjyycqlcskywyehywhbhqywbawykqldqftntkhqcgdqktgpkxhcpdhtwtmssyhbwcrwxhjmkmzngwtmlkfghkjyldyycxwhyycl'
    'qhkqhttqkhffldxqwgzyydesbpkyrzpjfyyzjceqdzzdlAttpbfjllcxdlmJsdxegygsjqxcfbxsszpdyzcxdnyxpfzydlyjccplTxlsxyzyrxcyysdylwwndsahjsygyhgywWaxtjzdaxysrltdjs'
    'saxfnejdxyzhlxlllzhzsJnyqyqqxyjghzgjcyjchzlycdshwsgczyjxcllnxzjjyyxnfsmwfpylcyllabwddhwdxjmcxztzpmlqzhsfhzynztlldywlslxhymmylmbwwkyxyadtxylldjpybpwfxj'
    'mmmllhafdllaflbhhhbqqjtzjcqjjdjtffkmmmbythygdcqrddwrqjxnbysnmzdbyytbjhpybygtjxaahgqdqtmystqxkbtsbkjlxrbeqqhqmjjbdjwtgtbxpgbktlgqxjjjcdhxqdwjlwrfmqgwqh'
    'ckryswgbtgygbwsdwdwrfhwytjjxxxjyzyslphyypayxhydqkxshxyxeskqhywbdddpplcjlhqeewxksyyhdyplfjthkjltcyyhhjttpltzzcdlthqkcxqysteeywkyzyxxyysddjkllpwmcyhqgxy'
    'hcrmbxpllnqydqhxsxxwgdqbshyllpjjjthyjkyphthyyktyezyenmdshlCrpqfbgfxzbsbtlgxsjbswyysksflxlpplbbblbsfxfyzbsjssylpbbffffSscjdstzsxtryjcyffsytyzbjtbctsbsd'
    'hrtjjbytcxyjeylxcbnebjdsysyhgsjzbxbytfzwgenyhhthjhatfwgcstbgxklstywmtmbyxjskzscdyjrcytwxzfhmymcxlznsdjtxtxrycfyjsbsdyerxhljxbbdeynjghxgckgscymblxjmszn'
    'skgxfbnbbthfjaafxyxfpxmyfhdtzcxzzpxrsywzdlybbjtyqwqjpzypzjznjpzjlztfysbttslmptzrtdxqsjehbzylzdhljsqmlhtxtjecxalzzspktlzkqqyfsygywpcpqfhqhytqxzkrsgtgsq'
    'czlptxcdyyzssqzslxlzmacbcqbzyxhbsxlzdltcdjtylzjyytpzylltxjsjxhlbmytxcqrblzssfjzztnjydxmyjhlhpblcyxqjqqkzzscpzkswalqsblcczjsxgwwwygyatjbbctdkhqhkgtgpbk'
    'qyslbxbbckbmllxdzstbklggqkqlsbkkdfxrmdkbftpzfrtbbmferqgxkjpzsstlbzdpszqzsjthljqlzbpmsmmsxlqqnhknblrddnhxdhddjcyygyfqgzlgsygmjqgkhbpmxyxlytqwlwgcpbmjxc'
    'yzydrjbhtdjxeeshtmjsbyplwhlzffnypmhxqhpltbqpfbcwjdbygpnxtbfzjgsddtjshxeawzzyllttybwjkgxghlfkxdjtmszsqynzggswqsphtlsskmclzxyszqzxncjdqgzdlfnykljcjllzlm'
    'zznhydsshthxzlzzbbhqzwwycrdhlyqqjbeyfsgxthsrxwqhwfslmssgzttyeyqqwrslalhmjtqjsmxqbjjzjxzyzkxbyqxbjxshzssfglxmxzxfghkzszggylclsarjxhslllmzxelglxydjytlfb'
    'hbpnlyzfbbhptgjkwetzhkjjxzxxglljlstgshjjyqlqzfkcgnndjsszfdbctwwseqfhqjbsaqtgypjlbxbmmywxgslzhglzgnyfljbyfdjfrgsfmbyzhqfbwjsyfyjjphzbyyzffwodgrlmftmlbz'
    'gycqxcdjygzyyyytytydwegazyhxjlzythlrmgrjxzclhneljjthtbwjybjjbxjjtjteekhwsljplpsfazpqqbdlqjjtyyqlyzkdksqjyyjzldqcgjjyzjsycmraqthtejmfctyhypkmhycwjdcfhy'
    'yxwshctxrljgjshccyyyjltkttytmxgtcjtzayyoczlylbszywjytsjyhbyshfjlygjxxtmzyyltxxypslxyjzyzyypnhmymdyylblhlsyygqllnjjymsoycbzgdlyxylcqyxtszegxhzglhwbljge'
    'yxtwqmakbpqcgyshhegqcmwyywljyjhyyzlljjylhzyhmgsljljxcjjyclycjpcpzjzjmmylcjlnqljjjlxxjmlszljqlycmmhcfmmfpqqmfxlqmcffqmmmmhmznfhhjgtthhkhslnchhyqdxtmmqd'
    'cydyxyqmyqylddcyyydazdcymzydlzfffmmycqcwzzmabtbyctdmndzggdftypcgqyttssffwbdtzqssystwjjhjytsxxylbyqhwwhxezxwznnqzjzjjqjccchyyxbzxccyjtllcqxknjycyycynzz'
    'qyyoewyczdcjycchyjlbtzyycqwlpgpyllgkdldlgkgqbGychjxyzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzgtmzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
  readings constant text := '万wm 乐ly 亟jq 什sj 仇cq 会hk 传cz 伺cs 伽jqg 佛fb 便bp 俞ys 冯fp 刹cs 匙cs 区qo 单ds 卡kq 厘lx 厦xs 参cs 叨dt 召zs 叶yx 吁xy 合hg 吓xh 否fp 咖kg 咯lk 咳kh 囤dt 圈qj 埔pb 堡bp 壳kq 奇qj 宿sx 尉wy 尾wy 尿ns 屏pb 属sz 巷xh 幢cz 弄nl 弹dt 强qj 恶ew 戏xh 折zs 提td 曾zc 朝cz 期qj 术sz 朴pb 柜gj 查cz 校xj 桧gh 槛kj 殖zs 沈sc 泊bp 洗xs 洞dt 浚jx 澄cd 瀑pb 率ls 畜cx 番fp 盛sc 省sx 石sd 祭jz 禅cs 种zc 秘mb 稽jq 筠yj 粘zn 系xj 繁fp 红hg 纶lg 缪mp 翟dz 脯pf 臧zc 臭cx 艾ay 芥jg 茄jq 蔓mw 蔚wy 薄bp 藏cz 虾xh 蛤hg 行xh 覃tq 解jx 识sz 说sy 调dt 谌cs 贾jg 车cj 轧yzg 辟pb 遗yw 重zc 铅qy 铛dc 镐gh 长cz 阿ae 降jx 陶ty 隗wk 隽jz 颤cz 食sy 龟gjq';
  folded constant text := lower(normalize(word, NFKC));
  ways text[] := '{""}';
  here text;
  code int;
begin
  for at in 1 .. length(folded) loop
    here := substr(folded, at, 1);
    code := ascii(here);
    if code between 19968 and 40959 then
      here := chr(get_byte(letters, code - 19968));
      if here < 'a' then here := split_part(split_part(readings, chr(code), 2), ' ', 1); end if;
      if cardinality(ways) * length(here) > 16 then here := left(here, 1); end if;
    elsif not (code between 97 and 122 or code between 48 and 57) then continue;
    end if;
    if length(here) > 1 then
      ways := array(select way || l from unnest(ways) with ordinality w(way, at), unnest(string_to_array(here, null)) with ordinality r(l, n) order by w.at, n);
    elsif cardinality(ways) = 1 then ways[1] := ways[1] || here;
    else ways := array(select way || here from unnest(ways) with ordinality w(way, at) order by w.at);
    end if;
  end loop;
  return array_to_string(ways, ' ');
end $$;

-- What a list is searched by: the folded text, and the initials of each of its words.
create function search_key(word text) returns text language sql immutable parallel safe as
$$ select search_fold(word) || E'\n' || pinyin_initials(left(word, 60)) $$;

-- Posts and schools are looked for by people, in part and by initials.
alter table type_code add column search_key text generated always as
  (search_key(code_name) || E'\n' || search_key(unit_name) || E'\n' || search_fold(code) || E'\n' || search_fold(coalesce(major_text, ''))) stored;
alter table school add column search_key text generated always as (search_key(school_name) || E'\n' || search_fold(search_text)) stored;

-- Parts of the folded text. shortest 0: one letter, and parts of the initials too; where few are and people look for them by names: staff, menus, departments.
create or replace function search_parts(word text, shortest int) returns setof text language sql immutable parallel safe as
$$ select distinct substr(w, at, size)
  from (select search_fold(word) union all select unnest(string_to_array(pinyin_initials(left(word, 60)), ' ')) where shortest = 0) t(w),
    generate_series(greatest(shortest, 1), 3) size, generate_series(1, length(w) - size + 1) at $$;

drop trigger keep_staff_parts on account;
drop trigger drop_staff_parts on account;
drop trigger keep_search_parts on menu;
drop trigger drop_search_parts on menu;
drop trigger keep_search_parts on dept;
create trigger keep_staff_parts after insert or update of real_name, account, is_deleted on account
  for each row when (new.user_type = 1) execute function keep_search_parts('real_name', 'sn', '0', 'account', 'sa', '3');
create trigger drop_staff_parts after delete on account
  for each row when (old.user_type = 1) execute function keep_search_parts('real_name', 'sn', '0', 'account', 'sa', '3');
create trigger keep_search_parts after insert or update of code, name, name_en, alias, is_deleted on menu
  for each row when (not new.is_system) execute function keep_search_parts('code', 'mc', '3', 'name', 'mn', '0', 'name_en', 'me', '1', 'alias', 'ma', '3');
create trigger drop_search_parts after delete on menu
  for each row when (not old.is_system) execute function keep_search_parts('code', 'mc', '3', 'name', 'mn', '0', 'name_en', 'me', '1', 'alias', 'ma', '3');
create trigger keep_search_parts after insert or delete or update of dept_name, full_name, is_deleted on dept
  for each row execute function keep_search_parts('dept_name', 'dn', '0', 'full_name', 'df', '0');

-- Parts that are kept already: those of staff, menus and departments anew; of candidates only whoever has something that is folded.
delete from search_part where field in ('sn', 'sa', 'mc', 'mn', 'me', 'ma', 'dn', 'df');
delete from search_part k using account a where k.tenant_id = a.tenant_id and k.row_id = a.id
  and (k.field = 'an' and search_fold(a.real_name) <> lower(a.real_name) or k.field = 'aa' and search_fold(a.account) <> lower(a.account));
insert into search_part
  select a.tenant_id, w.field, p, a.id from account a, lateral (values ('an', a.real_name, 1), ('aa', a.account, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not a.is_deleted and search_fold(w.word) <> lower(w.word)
  union all
  select a.tenant_id, w.field, p, a.id from account a, lateral (values ('sn', a.real_name, 0), ('sa', a.account, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not a.is_deleted and a.user_type = 1
  union all
  select m.tenant_id, w.field, p, m.id from menu m,
    lateral (values ('mc', m.code, 3), ('mn', m.name, 0), ('me', m.name_en, 1), ('ma', m.alias, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not m.is_deleted and not m.is_system
  union all
  select d.tenant_id, w.field, p, d.id from dept d, lateral (values ('dn', d.dept_name, 0), ('df', d.full_name, 0)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not d.is_deleted;

-- Columns of Chinese words sort by pinyin; the order of the database itself stays that of code points.
create collation pinyin (provider = icu, locale = 'zh-u-co-pinyin');

-- verify: select 1 / (select (search_key('重庆·ＣＴ室') = E'重庆ct室\nzqcts cqcts')::int)
